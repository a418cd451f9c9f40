package poller

import (
	"context"
	"fmt"
	"log"
	"time"
)

type Device interface {
	Name() string
	Read(ctx context.Context) (map[string]float64, error)
}

type Writer interface {
	Write(ctx context.Context, device string, values map[string]float64) error
}

type Poller struct {
	devices []Device
	out     Writer
	limit   time.Duration
	every   time.Duration
}

func New(out Writer, devices ...Device) *Poller {
	return &Poller{devices: devices, out: out, limit: 4 * time.Second, every: time.Minute}
}

// Run polls all devices again and again until ctx ends.
func (p *Poller) Run(ctx context.Context) error {
	t := time.NewTicker(p.every)
	defer t.Stop()
	for {
		if err := p.round(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

func (p *Poller) round(ctx context.Context) error {
	for _, d := range p.devices {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.limit) // BUG(budget)
		defer cancel()
		values, err := d.Read(ctx) // ALT(budget)
		if err != nil {
			log.Printf("%s: %v", d.Name(), err)
			continue
		}
		if err := p.out.Write(ctx, d.Name(), values); err != nil {
			return fmt.Errorf("write %s: %w", d.Name(), err)
		}
	}
	return nil
}
