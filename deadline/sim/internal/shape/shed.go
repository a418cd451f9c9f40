package shape

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// A Shed is one trial of the load-shedding experiment: the share of requests that were answered within 2 s.
type Shed struct {
	Slow                      int     // per cent of requests that take 1 s, and not 100 ms
	PublishedOff, PublishedOn float64 // without and with shedding
	Off, On, Min              Cell    // A, H, and E with a minimum of 100 ms
}

// The experiment of CGA1123/loadshedding-experiment-ruby: 20 threads, work of 100 ms or, for a share, of 1 s, clients that give up
// after 2 s and ask again, 60 s a trial. Its 20 clients (hey -c 20) met a Ruby process whose threads share one lock: 701 requests
// in 60 s with no slow ones, 11.7 a second and not the 200 of threads that run side by side. What matters for the collapse is how
// much the clients ask for once all of them time out, against what the process can do: 20 clients / 2 s / 11.7 = 0.856. The model
// has threads that run side by side, and as many clients as give that same share: 0.856 * 200 * 2 = 342.
const (
	shedThreads = 20
	shedClients = 342
	shedTimeout = 2 * time.Second
	shedFast    = 100 * time.Millisecond
	shedSlow    = time.Second
)

// published is the table of that repository's README, AVG(response.fast_success).
var published = []struct {
	slow    int
	off, on float64
}{
	{0, 0.919, 0.906}, {1, 0.854, 0.883}, {5, 0.096, 0.862}, {10, 0.073, 0.789}, {15, 0.023, 0.699},
}

// CGA1123 runs the trials.
func CGA1123(seeds int) []Shed {
	var configs []model.Config
	for _, p := range published {
		for _, v := range []string{"A", "H", "E"} {
			configs = append(configs, model.Config{
				Variant: model.Named(v, shedFast), Servers: shedThreads, Closed: shedClients,
				Law:    model.Mixed(shedFast, shedSlow, float64(p.slow)/100),
				Client: shedTimeout, Timeout: shedTimeout, Attempts: 1, Length: 60 * time.Second, Bin: time.Second,
			})
		}
	}
	got := cells(configs, seeds)
	var out []Shed
	for i, p := range published {
		out = append(out, Shed{p.slow, p.off, p.on, got[3*i], got[3*i+1], got[3*i+2]})
	}
	return out
}

// Gain is how many times as many answers were in time with shedding as without.
func (s Shed) Gain() float64 { return s.On.Goodput / s.Off.Goodput }
