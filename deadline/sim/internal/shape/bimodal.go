package shape

import (
	"math"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
	"github.com/doneby/doneby/deadline/sim/internal/queue"
	"github.com/doneby/doneby/deadline/sim/internal/theory"
)

// The example of the SRE book, "Addressing Cascading Failures", section "Bimodal latency": 10 servers with 100 threads each, 1000
// requests a second of 100 ms, of which 5 % hang.
const (
	bookThreads = 1000
	bookRate    = 1000
	bookService = 0.1
	bookHang    = 0.05
)

// A Bimodal is a deadline in the example of the SRE book, and the share of requests that find a thread.
type Bimodal struct {
	Deadline time.Duration
	Fluid    float64 // the book's division
	ErlangB  float64 // with arrivals at random times, and no queue
	Got      float64
}

// TurnedAway is the share of requests that find none.
func (b Bimodal) TurnedAway() float64 { return 1 - b.Got }

// Knee is the longest deadline with which everybody finds a thread, by the book's division.
func Knee() time.Duration {
	return seconds(theory.Knee(bookThreads, bookRate, bookService, bookHang))
}

// SRE sweeps the deadline. Requests that find no thread are turned away, as in the book; the others hold theirs for 100 ms or, if
// they hang, until the deadline.
//
// The threads fill within the deadline and come free all together one deadline later: the service breathes for long, with the
// time in which a thread goes through the fast requests between two that hang, and through one that hangs. So whole periods are
// measured, that many or as many as are in a minute.
func SRE(deadlines []time.Duration, periods int) []Bimodal {
	law := model.Mixed(seconds(bookService), model.Never, bookHang)
	var configs []model.Config
	for _, d := range deadlines {
		period := d + seconds(bookService*(1-bookHang)/bookHang)
		configs = append(configs, model.Config{
			Variant: model.Variant{Stop: true}, Queue: queue.Discipline{Limit: -1}, Servers: bookThreads, Law: law,
			Timeout: d, Attempts: 1, Load: []model.Step{{From: 0, Rate: bookRate}},
			Warm: period*time.Duration(min(periods, 3)) + 10*time.Second, Length: period * max(time.Duration(periods), (time.Minute+d-1)/d),
		})
	}
	var out []Bimodal
	for i, r := range runs(configs, 1) {
		d := deadlines[i].Seconds()
		load := bookRate * (bookHang*d + (1-bookHang)*bookService)
		out = append(out, Bimodal{
			Deadline: deadlines[i],
			Fluid:    theory.Bimodal(bookThreads, bookRate, bookService, bookHang, d),
			ErlangB:  1 - theory.ErlangB(bookThreads, load),
			Got:      float64(r[0].Served) / float64(r[0].Calls),
		})
	}
	return out
}

// Deadlines are those of the sweep in RESULTS.md.
func Deadlines() []time.Duration {
	var ds []time.Duration
	for _, s := range []float64{1, 5, 10, 14, 16, 18.1, 20, 22, 25, 30, 40, 60, 80, 100} {
		ds = append(ds, seconds(s))
	}
	return ds
}

// seconds is a time in s, to the millisecond.
func seconds(s float64) time.Duration { return time.Duration(math.Round(1000*s)) * time.Millisecond }
