package report

import (
	"fmt"
	"math"
)

// pilot is what a first toy of the same setting found, before there was this simulator: success and goodput of C or H and of E,
// and the calls a request of F, over 60 s.
var pilot = []struct {
	load           float64
	law            string
	c, cGood       float64
	e, eGood, fAmp float64
}{
	{0.9, "equal", 1.00, 0.90, 1.00, 0.90, 1.00},
	{1.1, "equal", 0.53, 0.58, 0.91, 1.00, 1.04},
	{1.2, "equal", 0.26, 0.31, 0.84, 1.00, 1.05},
	{1.5, "equal", 0.02, 0.04, 0.67, 1.00, 1.05},
	{2.0, "equal", 0.00, 0.00, 0.50, 1.00, 1.04},
	{1.2, "exponential", 0.83, 1.00, 0.84, 1.00, 1.05},
	{1.2, "log-normal σ=1", 0.90, 1.08, 0.90, 1.08, 1.05},
}

// PilotTable sets the pilot against this simulator.
func (f *Findings) PilotTable() string {
	var rows [][]string
	for i, p := range pilot {
		s := f.Pilot[i]
		rows = append(rows, []string{
			fmt.Sprintf("%.1f, %s", p.load, p.law),
			share(p.c) + " / " + share(p.cGood), both(s.Of("C")),
			share(p.e) + " / " + share(p.eGood), both(s.Of("E")),
			share(p.fAmp), f.Amplification(p.law, p.load, "F"),
		})
	}
	return table([]string{"load, law", "C or H, pilot", "here", "E, pilot", "here", "F calls a request, pilot", "here"}, rows)
}

// PilotGap is the largest difference of a success or goodput.
func (f *Findings) PilotGap() float64 {
	gap := 0.0
	for i, p := range pilot {
		c, e := f.Pilot[i].Of("C"), f.Pilot[i].Of("E")
		for _, d := range []float64{c.Success - p.c, c.Goodput - p.cGood, e.Success - p.e, e.Goodput - p.eGood} {
			gap = max(gap, math.Abs(d))
		}
	}
	return gap
}
