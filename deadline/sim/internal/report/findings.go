// Package report writes what the experiments found: RESULTS.md, from a page whose tables and figures are filled in, and a plot
// for each curve.
package report

import (
	"slices"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/shape"
)

// Findings are the results of all experiments, and what the page asks of them.
type Findings struct {
	Scale   shape.Scale
	Checks  []shape.Check
	SRE     []shape.Bimodal
	Shed    []shape.Shed
	Steady  []shape.Steady
	Pilot   []shape.Steady // by the rows of the pilot
	Queues  []shape.Queued
	Jumps   [][]shape.Course // by law
	Trigger [][]shape.Course // by law, all variants
	Others  [][]shape.Course // by law, what else there is
}

// Gather runs all experiments, and calls say before each.
func Gather(s shape.Scale, say func(string)) *Findings {
	f := &Findings{Scale: s}
	say("closed forms")
	f.Checks = shape.Checks(3000 * time.Second)
	say("the SRE book's bimodal latency")
	f.SRE = shape.SRE(shape.Deadlines(), 6)
	say("load shedding")
	f.Shed = shape.CGA1123(s.Seeds)
	say("steady loads")
	f.Steady = shape.SteadyLoads(s)
	say("the pilot's loads")
	for _, p := range pilot {
		f.Pilot = append(f.Pilot, shape.AsPilot(p.law, p.load, s.Seeds))
	}
	say("queues")
	f.Queues = shape.Queues(s)
	for _, law := range shape.Laws() {
		say("jump and trigger, " + law.Name)
		f.Jumps = append(f.Jumps, shape.Jump(s, law))
		f.Trigger = append(f.Trigger, shape.Metastable(s, law))
		f.Others = append(f.Others, shape.Trigger(s, shape.Others(law)))
	}
	return f
}

// at is the steady load of a law.
func (f *Findings) at(law string, load float64) shape.Steady {
	for _, s := range f.Steady {
		if s.Law == law && s.Load == load {
			return s
		}
	}
	panic("not run: " + law)
}

// course is that of a variant.
func course(courses []shape.Course, variant string) shape.Course {
	i := slices.IndexFunc(courses, func(c shape.Course) bool { return c.Config.Name == variant })
	if i < 0 {
		panic("no variant " + variant)
	}
	return courses[i]
}

// laws are the names of the laws.
func laws() []string {
	var names []string
	for _, l := range shape.Laws() {
		names = append(names, l.Name)
	}
	return names
}
