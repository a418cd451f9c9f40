package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/shape"
)

// What follows is what the sentences of the page ask for: a sentence with a figure cannot stay behind when the figure moves.

// Goodput is that of a variant at a steady load.
func (f *Findings) Goodput(law string, load float64, variant string) string {
	return share(f.at(law, load).Of(variant).Goodput)
}

// Amplification is how many calls a variant makes for a request, at a steady load.
func (f *Findings) Amplification(law string, load float64, variant string) string {
	return share(f.at(law, load).Of(variant).Amplification)
}

// Slowest is the longest that one of these variants takes to come back after the trigger, under any law.
func (f *Findings) Slowest(variants ...string) string {
	longest := time.Duration(0)
	for _, law := range slices.Concat(f.Trigger, f.Others) {
		for _, c := range law {
			if slices.Contains(variants, c.Config.Name) {
				longest = max(longest, c.Back)
			}
		}
	}
	text := f.seconds(longest, f.Scale.After)
	if longest == 0 || longest == shape.Never {
		return text
	}
	return "within " + text
}

// JumpFrom is the load before the jump.
func (f *Findings) JumpFrom() string { return fmt.Sprint(shape.JumpFrom) }

// queued is a cell of the comparison of queues.
func (f *Findings) queued(law, discipline, variant string) shape.Cell {
	for _, q := range f.Queues {
		if q.Law == law && q.Discipline == discipline {
			return map[string]shape.Cell{"A": q.A, "C": q.C, "E": q.E}[variant]
		}
	}
	panic("no queue " + discipline)
}

// QueueGoodput is that of a variant with such a queue.
func (f *Findings) QueueGoodput(law, discipline, variant string) string {
	return share(f.queued(law, discipline, variant).Goodput)
}

// Median is how long half of the answers in time take at most, in the comparison of queues.
func (f *Findings) Median(law, discipline, variant string) string {
	return ms(f.queued(law, discipline, variant).Median)
}

// Knee is the longest deadline with which all requests of the book's example find a thread.
func (f *Findings) Knee() string { return fmt.Sprintf("%.1f s", shape.Knee().Seconds()) }

// Book is what the book's example finds at a deadline in s.
func (f *Findings) Book(deadline float64) shape.Bimodal {
	for _, b := range f.SRE {
		if b.Deadline == time.Duration(deadline*float64(time.Second)) {
			return b
		}
	}
	panic("deadline not run")
}

// Least is the smallest gain by load shedding where the published one is large.
func (f *Findings) Least() string {
	least := math.Inf(1)
	for _, s := range f.Shed {
		if s.PublishedOn > 2*s.PublishedOff {
			least = min(least, s.Gain())
		}
	}
	return fmt.Sprintf("%.0f", math.Floor(least))
}

// MinimumIsWorth is the largest difference that the minimum makes to the goodput under laws whose work differs much, at any load.
func (f *Findings) MinimumIsWorth() float64 {
	most := 0.0
	for _, s := range f.Steady {
		if s.Law != laws()[0] {
			most = max(most, math.Abs(s.Of("E").Goodput-s.Of("H").Goodput))
		}
	}
	return most
}

// Spread is the largest difference of a success between seeds, at a steady load other than just the capacity, where it is a matter
// of luck how long the service stays up.
func (f *Findings) Spread() float64 {
	worst := 0.0
	for _, s := range f.Steady {
		if s.Load == 1 {
			continue
		}
		for _, c := range s.Cells {
			worst = max(worst, c.Spread)
		}
	}
	return worst
}
