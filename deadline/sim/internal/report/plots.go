package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
	"github.com/doneby/doneby/deadline/sim/internal/shape"
	"github.com/doneby/doneby/deadline/sim/internal/svg"
	"github.com/doneby/doneby/deadline/sim/internal/theory"
)

// styles of the variants, in all plots. H lies on C, so one line stands for both.
var styles = []struct {
	variant, name string
	style         int
}{
	{"A", "A fixed timeouts", 0}, {"B", "B + leaves the queue", 7}, {"B+", "B+ hands on ctx", 2}, {"G", "G caller's clamp", 3},
	{"C", "C, H deadline at dequeue", 1}, {"F", "F + tokens", 6}, {"E", "E + minimum", 5}, {"A, controlled delay", "A, controlled delay", 4},
}

// plots are the charts, by the names of their files.
func (f *Findings) plots() map[string]svg.Chart {
	charts := map[string]svg.Chart{"bimodal": f.plotSRE(), "shed": f.plotShed()}
	for i, law := range laws() {
		file := strings.Fields(law)[0]
		charts["steady-"+file] = f.plotSteady(law)
		charts["jump-"+file] = plotJump(law, f.Jumps[i], f.Scale.Seeds)
		charts["trigger-"+file] = plotTrigger(law, f.Trigger[i])
	}
	return charts
}

func (f *Findings) plotSRE() svg.Chart {
	fluid := svg.Line{Name: "1000 / (50 D + 95)", Style: 7}
	for d := 1.0; d <= 100; d += 0.5 {
		fluid.X = append(fluid.X, d)
		fluid.Y = append(fluid.Y, 100*theory.Bimodal(1000, 1000, 0.1, 0.05, d))
	}
	got := svg.Line{Name: "simulated", Style: 5, Marks: true}
	for _, b := range f.SRE {
		got.X = append(got.X, b.Deadline.Seconds())
		got.Y = append(got.Y, 100*b.Got)
	}
	knee := shape.Knee().Seconds()
	return svg.Chart{
		Title: "5 % of requests hang: what 1000 threads can take on",
		X:     svg.Axis{Label: "deadline D, in s", Min: 0, Max: 100, Step: 10}, Y: svg.Axis{Label: "requests that find a thread, in %", Min: 0, Max: 100, Step: 20},
		Lines: []svg.Line{fluid, got},
		Bands: []svg.Band{{Name: fmt.Sprintf("knee: %.1f s", knee), From: knee - 0.2, To: knee + 0.2}},
	}
}

func (f *Findings) plotShed() svg.Chart {
	lines := []svg.Line{{Name: "A, no shedding", Style: 0}, {Name: "H, shedding", Style: 1}, {Name: "published, off", Style: 7}, {Name: "published, on", Style: 3}}
	for _, s := range f.Shed {
		for i, y := range []float64{s.Off.Success, s.On.Success, s.PublishedOff, s.PublishedOn} {
			lines[i].X = append(lines[i].X, float64(s.Slow))
			lines[i].Y = append(lines[i].Y, y)
			lines[i].Marks = true
		}
	}
	return svg.Chart{
		Title: "Answers within 2 s, by the share of slow requests",
		X:     svg.Axis{Label: "requests that take 1 s and not 100 ms, in %", Min: 0, Max: 15, Step: 1}, Y: svg.Axis{Label: "answered within 2 s, share of requests", Min: 0, Max: 1, Step: 0.2},
		Lines: lines,
	}
}

func (f *Findings) plotSteady(law string) svg.Chart {
	c := svg.Chart{
		Title: "Goodput under a steady load, " + law + " work",
		X:     svg.Axis{Label: "load, as a share of capacity", Min: 0.8, Max: 2, Step: 0.2}, Y: svg.Axis{Label: "answers in time, as a share of capacity", Min: 0, Max: 1.2, Step: 0.2},
	}
	for _, v := range styles[:7] {
		l := svg.Line{Name: v.name, Style: v.style, Marks: true}
		for _, s := range f.Steady {
			if s.Law == law {
				l.X = append(l.X, s.Load)
				l.Y = append(l.Y, s.Of(v.variant).Goodput)
			}
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

func plotJump(law string, courses []shape.Course, seeds int) svg.Chart {
	c := svg.Chart{
		Title: fmt.Sprintf("The load jumps from %.1f to %.1f of capacity, %s work", shape.JumpFrom, shape.JumpTo, law),
		X:     svg.Axis{Label: "time, in s", Min: 0, Max: 12, Step: 2}, Y: svg.Axis{Label: "answers in time, as a share of capacity", Min: 0, Max: 1.2, Step: 0.2},
		Bands: []svg.Band{{Name: fmt.Sprintf("load %.1f", shape.JumpTo), From: shape.JumpBefore.Seconds(), To: 12}},
	}
	for _, v := range styles {
		if v.variant == "F" {
			continue // lies on E
		}
		for _, course := range courses {
			if course.Config.Name == v.variant {
				full := float64(course.Config.Servers*seeds) * course.Config.Bin.Seconds() / shape.Mean.Seconds()
				c.Lines = append(c.Lines, curve(v.name, v.style, course, course.Config.Bin, 12, func(b model.Bin) float64 { return min(1.2, float64(b.Answers)/full) }))
			}
		}
	}
	return c
}

func plotTrigger(law string, courses []shape.Course) svg.Chart {
	from, to := shape.Before.Seconds(), (shape.Before + shape.Spike).Seconds()
	c := svg.Chart{
		Title: "0.8 of capacity, for 5 s 1.4, and 0.8 again; " + law + " work",
		X:     svg.Axis{Label: "time, in s", Min: 0, Max: 20, Step: 2}, Y: svg.Axis{Label: "answered in time, share of requests", Min: 0, Max: 1, Step: 0.2},
		Bands: []svg.Band{{Name: fmt.Sprintf("load %.1f", shape.Peak), From: from, To: to}},
	}
	for _, v := range styles[:7] {
		if v.variant == "F" {
			continue // lies on E
		}
		c.Lines = append(c.Lines, curve(v.name, v.style, course(courses, v.variant), 500*time.Millisecond, 20, model.Bin.Success))
	}
	return c
}

// curve is a course until a time in s, in bins of that width; a bin is drawn in its middle.
func curve(name string, style int, c shape.Course, width time.Duration, until float64, y func(model.Bin) float64) svg.Line {
	l := svg.Line{Name: name, Style: style}
	n := int(width / c.Config.Bin)
	for i := 0; i+n <= len(c.Bins); i += n {
		var sum model.Bin
		for _, b := range c.Bins[i : i+n] {
			sum.Requests += b.Requests
			sum.InTime += b.InTime
			sum.Answers += b.Answers
		}
		x := (float64(i) + float64(n)/2) * c.Config.Bin.Seconds()
		if x > until {
			break
		}
		l.X = append(l.X, x)
		l.Y = append(l.Y, y(sum))
	}
	return l
}

// writePlots writes the charts into a folder.
func (f *Findings) writePlots(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, chart := range f.plots() {
		var b strings.Builder
		if err := chart.Write(&b); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
