package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
	"github.com/doneby/doneby/deadline/sim/internal/shape"
)

// table is a table of Markdown. The first column is text, the others are numbers.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(head)
	b.WriteString("|---" + strings.Repeat("|---:", len(head)-1) + "|\n")
	for _, r := range rows {
		row(r)
	}
	return b.String()
}

// share has two decimals, as all shares have.
func share(v float64) string { return fmt.Sprintf("%.2f", v) }

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

func both(c shape.Cell) string { return share(c.Success) + " / " + share(c.Goodput) }

func ms(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}

const atOnce = "at once"

// seconds is a time to come back, of those that were watched.
func (f *Findings) seconds(d, watched time.Duration) string {
	switch d {
	case shape.Never:
		return fmt.Sprintf("not in %g s", watched.Seconds())
	case 0:
		return atOnce
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// ChecksTable is the closed forms.
func (f *Findings) ChecksTable() string {
	var rows [][]string
	for _, c := range f.Checks {
		rows = append(rows, []string{c.Name, fmt.Sprintf("%.2f %s", c.Want, c.Unit), fmt.Sprintf("%.2f %s", c.Got, c.Unit), fmt.Sprintf("%+.1f %%", 100*(c.Got/c.Want-1))})
	}
	return table([]string{"", "closed form", "simulated", "difference"}, rows)
}

// SRETable is the deadline sweep.
func (f *Findings) SRETable() string {
	var rows [][]string
	for _, b := range f.SRE {
		rows = append(rows, []string{fmt.Sprintf("%g s", b.Deadline.Seconds()), percent(b.Fluid), percent(b.ErlangB), percent(b.Got), percent(1 - b.Got)})
	}
	return table([]string{"deadline", "the book's division", "Erlang B", "simulated", "turned away"}, rows)
}

// ShedTable is the load-shedding trials.
func (f *Findings) ShedTable() string {
	var rows [][]string
	for _, s := range f.Shed {
		rows = append(rows, []string{fmt.Sprintf("%d %%", s.Slow), share(s.PublishedOff), share(s.PublishedOn), share(s.Off.Success), share(s.On.Success), fmt.Sprintf("%.1f", s.Gain()), share(s.Min.Success)})
	}
	return table([]string{"slow requests", "published, off", "published, on", "A", "H", "H answers in time, times A", "E (100 ms)"}, rows)
}

// SteadyTable is all variants under a law.
func (f *Findings) SteadyTable(law string) string {
	head := []string{"load"}
	for _, v := range shape.Variants() {
		head = append(head, v.Name)
	}
	var rows [][]string
	for _, s := range f.Steady {
		if s.Law != law {
			continue
		}
		row := []string{fmt.Sprintf("%.1f", s.Load)}
		for _, c := range s.Cells {
			row = append(row, both(c))
		}
		rows = append(rows, row)
	}
	return table(head, rows)
}

// CostTable is what the answers cost, at one load.
func (f *Findings) CostTable(load float64) string {
	head := []string{"law"}
	for _, v := range shape.Variants() {
		head = append(head, v.Name)
	}
	var rows [][]string
	for _, law := range laws() {
		row := []string{law}
		for _, c := range f.at(law, load).Cells {
			row = append(row, fmt.Sprintf("%s (%.2f)", share(c.Wasted), c.Amplification))
		}
		rows = append(rows, row)
	}
	return table(head, rows)
}

// QueuesTable is the disciplines of the queue.
func (f *Findings) QueuesTable() string {
	var rows [][]string
	for _, q := range f.Queues {
		row := []string{q.Law + ", " + q.Discipline}
		for _, c := range []shape.Cell{q.A, q.C, q.E} {
			median := "–"
			if c.Success > 0.01 {
				median = ms(c.Median)
			}
			row = append(row, both(c), median)
		}
		rows = append(rows, row)
	}
	return table([]string{"law, queue", "A", "median", "C", "median", "E", "median"}, rows)
}

// JumpTable is Breakwater's stressor.
func (f *Findings) JumpTable() string {
	head := []string{"variant"}
	for _, law := range laws() {
		head = append(head, law+": at 0.9", "goodput", "p99")
	}
	var rows [][]string
	for i, c := range f.Jumps[0] {
		row := []string{c.Config.Name}
		for _, law := range f.Jumps {
			late := ms(law[i].P99)
			if law[i].End < 0.5 {
				late = "–" // of the answers before the jump
			}
			row = append(row, f.seconds(law[i].Back, f.Scale.AfterJump()), share(law[i].End), late)
		}
		rows = append(rows, row)
	}
	return table(head, rows)
}

// TriggerTable is the trigger; others is what is not a deadline.
func (f *Findings) TriggerTable(others bool) string {
	head := []string{"variant"}
	for _, law := range laws() {
		head = append(head, law+": during", "back after", "last 10 s")
	}
	courses := f.Trigger
	if others {
		courses = f.Others
	}
	var rows [][]string
	for i, c := range courses[0] {
		row := []string{c.Config.Name}
		for _, law := range courses {
			row = append(row, share(law[i].During), f.seconds(law[i].Back, f.Scale.After), share(law[i].End))
		}
		rows = append(rows, row)
	}
	return table(head, rows)
}

// VariantsTable says what the letters mean.
func (f *Findings) VariantsTable() string {
	var b strings.Builder
	b.WriteString("| | what is in use |\n|---|---|\n")
	for _, v := range model.Variants(shape.Mean) {
		fmt.Fprintf(&b, "| %s | %s |\n", v.Name, v.Text)
	}
	return b.String()
}
