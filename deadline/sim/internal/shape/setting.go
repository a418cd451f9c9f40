// Package shape has the experiments: the four published shapes, the steady loads they are compared with, and the closed forms
// that the simulator is held against.
package shape

import (
	"runtime"
	"sync"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// The setting of all shapes but those that bring their own. The minimum useful time is the mean work of a call.
const (
	Servers  = 20
	Mean     = 10 * time.Millisecond
	Client   = 300 * time.Millisecond
	Own      = 20 * time.Millisecond
	Timeout  = 200 * time.Millisecond
	Attempts = 3

	capacity = float64(Servers) * float64(time.Second) / float64(Mean) // in calls a second
)

// A Scale is how much of an experiment is run. Full is what RESULTS.md shows; tests have less.
type Scale struct {
	Seeds        int
	Warm, Length time.Duration // of a steady load
	After        time.Duration // how long to watch after a trigger
}

// Full is the scale of RESULTS.md.
var Full = Scale{Seeds: 3, Warm: 5 * time.Second, Length: 15 * time.Second, After: 30 * time.Second}

// AfterJump is how long to watch after a jump, which does not end.
func (s Scale) AfterJump() time.Duration { return s.After / 3 }

// Laws are the service times that are compared.
func Laws() []model.Law {
	return []model.Law{model.Equal(Mean), model.Exponential(Mean), model.LogNormal(Mean)}
}

// Variants are those of package model, in this setting.
func Variants() []model.Variant { return model.Variants(Mean) }

// base is the setting with a load as a share of capacity.
func base(v model.Variant, law model.Law, load float64) model.Config {
	return model.Config{
		Variant: v, Servers: Servers, Law: law,
		Client: Client, Own: Own, Timeout: Timeout, Attempts: Attempts,
		Load: []model.Step{{From: 0, Rate: load * capacity}},
	}
}

// A Cell is what a variant made of a load, over all seeds.
type Cell struct {
	Config        model.Config // of the first seed
	Success       float64      // share of requests that were answered in time
	Goodput       float64      // answers in time, as a share of what the servers can do
	Wasted        float64      // share of the servers' time that was spent on calls that were not answered in time
	Amplification float64      // calls a request
	Median, P99   time.Duration
	Spread        float64 // of Success, between the seeds
}

// cells runs each of the configs with each of the seeds.
func cells(configs []model.Config, seeds int) []Cell {
	results := runs(configs, seeds)
	out := make([]Cell, len(configs))
	for i, c := range configs {
		out[i] = cell(c, results[i])
	}
	return out
}

func cell(c model.Config, results []model.Result) Cell {
	out := Cell{Config: c}
	low, high := 1.0, 0.0
	n := float64(len(results))
	work := c.Capacity().Seconds()
	for _, r := range results {
		out.Success += r.Success() / n
		out.Goodput += float64(r.InTime) * Mean.Seconds() / work / n
		out.Wasted += r.Wasted.Seconds() / work / n
		out.Amplification += r.Amplification() / n
		out.Median += r.Quantile(0.5) / time.Duration(len(results))
		out.P99 += r.Quantile(0.99) / time.Duration(len(results))
		low, high = min(low, r.Success()), max(high, r.Success())
	}
	out.Spread = high - low
	return out
}

// runs runs each of the configs with the seeds 1, 2, …, as many at a time as there are processors.
func runs(configs []model.Config, seeds int) [][]model.Result {
	out := make([][]model.Result, len(configs))
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, c := range configs {
		out[i] = make([]model.Result, seeds)
		for s := range seeds {
			all.Add(1)
			go func() {
				defer all.Done()
				limit <- struct{}{}
				defer func() { <-limit }()
				c := c
				c.Seed = uint64(s + 1)
				out[i][s] = model.Run(c)
			}()
		}
	}
	all.Wait()
	return out
}
