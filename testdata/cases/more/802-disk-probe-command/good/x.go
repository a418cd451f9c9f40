// Package good samples the health of the local disks for a metrics agent.
package good

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os/exec"
	"strings"
	"time"
)

const toolTimeout = 20 * time.Second

// Metric is one sample.
type Metric struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// Plugin is what the agent calls once per interval.
type Plugin interface {
	Name() string
	Gather() ([]Metric, error)
}

// tool starts the external program; tests put recorded output in its place.
var tool = func(path string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), toolTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", path, err, strings.TrimSpace(errOut.String()))
	}
	return out, nil
}

// Disks reads temperature and wear of each device.
type Disks struct {
	Path    string
	Exclude map[string]bool
}

// Name implements Plugin.
func (d *Disks) Name() string { return "disks" }

// Gather implements Plugin.
func (d *Disks) Gather() ([]Metric, error) {
	devices, err := d.devices()
	if err != nil {
		return nil, err
	}
	var all []Metric
	for _, dev := range devices {
		if d.Exclude[dev] {
			continue
		}
		ms, err := d.attributes(dev)
		if err != nil {
			log.Printf("disk %s: %v", dev, err)
			continue
		}
		all = append(all, ms...)
	}
	return all, nil
}

func (d *Disks) devices() ([]string, error) {
	var list struct {
		Devices []struct {
			Name string `json:"name"`
		} `json:"devices"`
	}
	if err := d.ask(&list, "--scan"); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(list.Devices))
	for _, dev := range list.Devices {
		names = append(names, dev.Name)
	}
	return names, nil
}

func (d *Disks) attributes(dev string) ([]Metric, error) {
	var report struct {
		Temperature struct {
			Current float64 `json:"current"`
		} `json:"temperature"`
		Wear float64 `json:"percentage_used"`
	}
	if err := d.ask(&report, "--all", dev); err != nil {
		return nil, err
	}
	labels := map[string]string{"device": dev}
	return []Metric{
		{Name: "disk_temperature_celsius", Labels: labels, Value: report.Temperature.Current},
		{Name: "disk_wear_percent", Labels: labels, Value: report.Wear},
	}, nil
}

func (d *Disks) ask(into any, args ...string) error {
	out, err := tool(d.Path, append([]string{"--json"}, args...)...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}

// Loop gathers from p once per interval until stop is closed.
func Loop(p Plugin, every time.Duration, emit func([]Metric), stop <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		ms, err := p.Gather()
		if err != nil {
			log.Printf("plugin %s: %v", p.Name(), err)
			continue
		}
		emit(ms)
	}
}
