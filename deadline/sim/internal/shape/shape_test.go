package shape

import (
	"math"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// short is enough to tell what stays up from what does not.
var short = Scale{Seeds: 1, Warm: time.Second, Length: 4 * time.Second, After: 4 * time.Second}

// TestChecks holds the simulator against closed forms.
func TestChecks(t *testing.T) {
	for _, c := range Checks(150 * time.Second) {
		if !c.OK() {
			t.Errorf("%s is %.2f %s, and %.2f by the closed form", c.Name, c.Got, c.Unit, c.Want)
		}
	}
	if (Check{Want: 10, Got: 9, Tolerance: 0.05}).OK() {
		t.Error("a check cannot fail")
	}
}

// TestSRE: 19.6 % of requests handled and 80.4 % errors with 100 s, as the SRE book says, and the knee at 18.1 s.
func TestSRE(t *testing.T) {
	if Knee() != 18100*time.Millisecond {
		t.Errorf("the knee is at %v", Knee())
	}
	for _, b := range SRE([]time.Duration{Knee(), 30 * time.Second, 100 * time.Second}, 1) {
		want := map[time.Duration]float64{Knee(): 1, 30 * time.Second: 1000. / 1595, 100 * time.Second: 0.196}[b.Deadline]
		if math.Abs(b.Fluid-want) > 0.0005 {
			t.Errorf("%v: %.4f by division, want %.4f", b.Deadline, b.Fluid, want)
		}
		if math.Abs(b.Got-b.ErlangB) > 0.08*b.ErlangB {
			t.Errorf("%v: %.4f simulated, %.4f by Erlang B", b.Deadline, b.Got, b.ErlangB)
		}
	}
}

// TestTrigger: with deadlines the service is back within a second after the trigger, for all laws; with fixed timeouts it is not
// back at all, and the caller's clamp alone does not help. That the hop hands on its context is enough here.
func TestTrigger(t *testing.T) {
	for i, law := range Laws() {
		for _, v := range []struct {
			name string
			back bool
		}{{"A", false}, {"B", false}, {"G", false}, {"B+", true}, {"C", true}, {"H", true}, {"E", true}, {"F", true}} {
			if i > 0 && v.name != "A" && v.name != "E" {
				continue // the full run has them; this one is to be quick
			}
			c := Trigger(short, []model.Config{base(model.Named(v.name, Mean), law, 0)})[0]
			switch {
			case v.back && (c.Back > time.Second || c.End < 0.99):
				t.Errorf("%s, %s: back after %v, %.2f at the end", law.Name, v.name, c.Back, c.End)
			case !v.back && (c.Back != Never || c.End > 0.05):
				t.Errorf("%s, %s: back after %v, %.2f at the end", law.Name, v.name, c.Back, c.End)
			}
			if before := success(c.Bins[:int(Before/triggerBin)]); before < 0.99 {
				t.Errorf("%s, %s: %.2f before the trigger", law.Name, v.name, before)
			}
		}
	}
}

// TestShed: where the published experiment collapses without shedding, ten times as many answers or more are in time with it.
func TestShed(t *testing.T) {
	for _, s := range CGA1123(1) {
		collapses := s.PublishedOn > 2*s.PublishedOff
		if collapses && s.Gain() < 10 {
			t.Errorf("%d %% slow: %.1f times as many answers in time, %.2f against %.2f", s.Slow, s.Gain(), s.On.Success, s.Off.Success)
		}
		if !collapses && s.Off.Success < 0.8 {
			t.Errorf("%d %% slow: %.2f without shedding, published %.2f", s.Slow, s.Off.Success, s.PublishedOff)
		}
		if math.Abs(s.On.Success-s.PublishedOn) > 0.15 || math.Abs(s.Off.Success-s.PublishedOff) > 0.15 {
			t.Errorf("%d %% slow: %.2f and %.2f, published %.2f and %.2f", s.Slow, s.Off.Success, s.On.Success, s.PublishedOff, s.PublishedOn)
		}
	}
}

// TestWhatAddsNothing holds what RESULTS.md says on the limits: the minimum matters for equal work and not for exponential work,
// where the expired check is as good; and a queue that is short enough is as good as deadlines, one that is too long is not.
func TestWhatAddsNothing(t *testing.T) {
	goodput := func(variant string, law model.Law, limit int) float64 {
		c := base(model.Named(variant, Mean), law, QueueLoad)
		c.Warm, c.Length, c.Queue.Limit = short.Warm, short.Length, limit
		return cells([]model.Config{c}, 1)[0].Goodput
	}
	for _, tt := range []struct {
		variant   string
		law       model.Law
		limit     int
		low, high float64
	}{
		{"C", model.Equal(Mean), 0, 0, 0.15},
		{"E", model.Equal(Mean), 0, 0.99, 1.01},
		{"C", model.Exponential(Mean), 0, 0.95, 1.05},
		{"E", model.Exponential(Mean), 0, 0.95, 1.05},
		{"A", model.Equal(Mean), 0, 0, 0.05},
		{"A", model.Equal(Mean), 100, 0.99, 1.01},
		{"A", model.Equal(Mean), 1000, 0, 0.05},
	} {
		if got := goodput(tt.variant, tt.law, tt.limit); got < tt.low || got > tt.high {
			t.Errorf("%s, %s, bound %d: goodput %.2f, want %.2f to %.2f", tt.variant, tt.law.Name, tt.limit, got, tt.low, tt.high)
		}
	}
}

// TestJump: after the jump A gives nothing, and E all that the servers can do, from the first moment on.
func TestJump(t *testing.T) {
	scale := short
	scale.After *= 3
	for _, c := range Jump(scale, model.Equal(Mean))[:7] {
		switch c.Config.Name {
		case "A":
			if c.Back != Never || c.End > 0.3 {
				t.Errorf("A: back after %v, goodput %.2f at the end", c.Back, c.End)
			}
		case "E":
			if c.Back != 0 || c.End < 0.95 {
				t.Errorf("E: back after %v, goodput %.2f at the end", c.Back, c.End)
			}
		}
	}
}
