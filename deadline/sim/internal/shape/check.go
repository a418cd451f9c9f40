package shape

import (
	"math"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
	"github.com/doneby/doneby/deadline/sim/internal/queue"
	"github.com/doneby/doneby/deadline/sim/internal/theory"
)

// A Check is a number that is known, and what the simulator says.
type Check struct {
	Name, Unit string
	Want, Got  float64
	Tolerance  float64 // as a share of Want: what the length of the run allows
}

// OK reports whether they agree.
func (c Check) OK() bool { return math.Abs(c.Got-c.Want) <= c.Tolerance*c.Want }

// Checks are the closed forms that the simulator is held against, each by one run of that length.
func Checks(length time.Duration) []Check {
	const service = 0.01
	plain := func(servers int, law model.Law, rate float64) model.Config {
		return model.Config{Servers: servers, Law: law, Attempts: 1, Load: []model.Step{{From: 0, Rate: rate}}, Warm: 20 * time.Second, Length: length}
	}
	loss := plain(5, model.Mixed(Mean/2, 11*Mean/2, 0.1), 600)
	loss.Queue = queue.Discipline{Limit: -1}
	patient := plain(1, model.Exponential(Mean), 120)
	patient.Variant, patient.Timeout = model.Variant{Leave: true}, 50*time.Millisecond
	checked := patient
	checked.Variant = model.Variant{Check: true}

	wait := func(r model.Result) float64 { return 1000 * r.Waited.Seconds() / float64(r.Calls) }
	of := func(part func(model.Result) int) func(model.Result) float64 {
		return func(r model.Result) float64 { return 100 * float64(part(r)) / float64(r.Calls) }
	}
	dropped := of(func(r model.Result) int { return r.Dropped })
	for _, c := range []*model.Config{&loss, &patient, &checked} {
		c.Seed = 1
	}
	var out []Check
	configs := []model.Config{
		plain(1, model.Equal(Mean), 80), plain(1, model.LogNormal(Mean), 50), plain(1, model.Exponential(Mean), 70),
		plain(5, model.Exponential(Mean), 450), loss, patient, checked,
	}
	for i, r := range runs(configs, 1) {
		check := []struct {
			Check
			got func(model.Result) float64
		}{
			{Check{Name: "M/D/1, load 0.8: wait", Unit: "ms", Want: 1000 * theory.WaitMG1(80, service, 0)}, wait},
			{Check{Name: "M/G/1, log-normal σ=1, load 0.5: wait", Unit: "ms", Want: 1000 * theory.WaitMG1(50, service, math.E-1)}, wait},
			{Check{Name: "M/M/1, load 0.7: wait", Unit: "ms", Want: 1000 * theory.WaitMMC(1, 70, service)}, wait},
			{Check{Name: "M/M/5, load 4.5 (Erlang C): wait", Unit: "ms", Want: 1000 * theory.WaitMMC(5, 450, service)}, wait},
			{Check{Name: "M/G/5/5, load 6 (Erlang B): turned away", Unit: "%", Want: 100 * theory.ErlangB(5, 6)}, of(func(r model.Result) int { return r.Refused })},
			{Check{Name: "M/M/1, load 1.2, patience 50 ms: leave the queue", Unit: "%", Want: 100 * theory.Leaves(120, service, 0.05)}, dropped},
			{Check{Name: "the same, dropped when taken out of the queue", Unit: "%", Want: 100 * theory.Leaves(120, service, 0.05)}, dropped},
		}[i]
		check.Tolerance = 0.04 // of a wait in a run of 3000 s, which remembers its busy times
		if check.Unit == "%" {
			check.Tolerance = 0.015
		}
		check.Tolerance *= math.Sqrt(3000 / length.Seconds())
		check.Got = check.got(r[0])
		out = append(out, check.Check)
	}
	return out
}
