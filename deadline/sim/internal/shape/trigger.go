package shape

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
	"github.com/doneby/doneby/deadline/sim/internal/queue"
)

// The trigger: 0.8 of capacity, for five seconds 1.4, and 0.8 again.
const (
	Before = 5 * time.Second
	Spike  = 5 * time.Second
	calm   = 0.8
	Peak   = 1.4

	triggerBin = 100 * time.Millisecond
)

// Trigger runs configs, whose load it sets, through the trigger. A service that stays down when the trigger is gone is
// metastable (Bronson et al., HotOS 2021; Huang et al., OSDI 2022).
func Trigger(s Scale, configs []model.Config) []Course {
	for i := range configs {
		c := &configs[i]
		c.Warm, c.Length, c.Bin = s.Warm, Before+Spike+s.After, triggerBin
		high := c.Warm + Before
		c.Load = []model.Step{{From: 0, Rate: calm * capacity}, {From: high, Rate: Peak * capacity}, {From: high + Spike, Rate: calm * capacity}}
	}
	out := courses(configs, s.Seeds)
	const high, over = int(Before / triggerBin), int((Before + Spike) / triggerBin)
	for i := range out {
		c := &out[i]
		c.During = success(c.Bins[high:over])
		c.End = success(c.Bins[len(c.Bins)-min(len(c.Bins)-over, int(10*time.Second/triggerBin)):])
		c.Back = back(c.Bins[over:], triggerBin, func(b model.Bin) bool { return b.Success() >= 0.9 })
	}
	return out
}

// Metastable is the trigger for all variants under a law.
func Metastable(s Scale, law model.Law) []Course {
	var configs []model.Config
	for _, v := range Variants() {
		configs = append(configs, base(v, law, calm))
	}
	return Trigger(s, configs)
}

// Others are the means that are not deadlines, each on top of A: what else brings the service back.
func Others(law model.Law) []model.Config {
	a := func(name, text string, change func(*model.Config)) model.Config {
		v := model.Named("A", Mean)
		v.Name, v.Text = name, text
		c := base(v, law, calm)
		change(&c)
		return c
	}
	configs := []model.Config{
		a("A, one attempt", "no retries", func(c *model.Config) { c.Attempts = 1 }),
		a("A, back-off", "a random pause below 50 ms, then below 100 ms", func(c *model.Config) { c.Backoff = 50 * time.Millisecond }),
		a("A, tokens", "retries have the budget of F", func(c *model.Config) { c.Tokens = true }),
	}
	for _, d := range Disciplines()[1:] {
		configs = append(configs, a("A, "+d.Name, "", func(c *model.Config) { c.Queue = d }))
	}
	return configs
}

// Disciplines are the queues that are compared. With work that takes its mean, the last of 100 waits for 50 ms, and the last of
// 1000 for 500 ms, which is longer than anybody has.
func Disciplines() []queue.Discipline {
	return []queue.Discipline{
		{Name: "FIFO"},
		{Name: "bounded (100)", Limit: 100},
		{Name: "bounded (1000)", Limit: 1000},
		{Name: "LIFO", LIFO: true},
		{Name: "controlled delay", Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond},
	}
}
