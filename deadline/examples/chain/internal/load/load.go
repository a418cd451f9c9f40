// Package load is the browsers: they come at random, whether those before them were answered or not, and none waits for longer
// than [plan.Patience].
package load

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/ledger"
	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
)

// A Load is a run of browsers.
type Load struct {
	Rate float64       // of those that come, a second
	For  time.Duration // how long they keep coming
	Seed uint64        // of the moments at which they come: the same for the same seed
	From int           // the number of the first
}

// A Result is what became of them.
type Result struct {
	Sent   int
	InTime []time.Duration // how long each answer took that came in time, the shortest first
	Errors []time.Duration // how long it took to hear, in time, that there would be none
	Left   int             // had no answer at their deadline, and left
	Window time.Duration   // from the first to the last deadline: what is counted is divided by it
}

// arrivals are the moments at which browsers come: a Poisson process.
func (l Load) arrivals() []time.Duration {
	source := rand.New(rand.NewPCG(l.Seed, 0))
	var at []time.Duration
	for t := 0.0; ; {
		t += source.ExpFloat64() / l.Rate
		when := time.Duration(t * float64(time.Second))
		if when >= l.For {
			return at
		}
		at = append(at, when)
	}
}

// Run sends the browsers to url, and tells the ledger of each. It ends when the last of them has an answer or has left, or all at
// once with ctx.
func (l Load) Run(ctx context.Context, url string, book *ledger.Ledger, transport http.RoundTripper) (Result, error) {
	var (
		mu   sync.Mutex
		all  sync.WaitGroup
		res  = Result{Window: l.For}
		from = time.Now()
		next = time.NewTimer(0)
	)
	defer next.Stop()
	for i, at := range l.arrivals() {
		next.Reset(time.Until(from.Add(at)))
		select {
		case <-next.C:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			took, status := visit(ctx, transport, url, strconv.Itoa(l.From+i), book)
			mu.Lock()
			defer mu.Unlock()
			res.add(took, status)
		})
	}
	all.Wait()
	slices.Sort(res.InTime)
	slices.Sort(res.Errors)
	return res, ctx.Err()
}

func (r *Result) add(took time.Duration, status int) {
	r.Sent++
	switch {
	case status == http.StatusOK && took <= plan.Patience:
		r.InTime = append(r.InTime, took)
	case status != 0 && took <= plan.Patience:
		r.Errors = append(r.Errors, took)
	default:
		r.Left++
	}
}

// visit is one browser. The status is 0 if it left without an answer.
func visit(ctx context.Context, transport http.RoundTripper, url, id string, book *ledger.Ledger) (took time.Duration, status int) {
	began := time.Now()
	ctx, cancel := context.WithDeadline(ctx, began.Add(plan.Patience))
	defer cancel()
	book.Begin(id, began.Add(plan.Patience))
	defer func() {
		took = time.Since(began)
		book.End(id, status == http.StatusOK && took <= plan.Patience)
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/orders/"+id, nil)
	if err != nil {
		return 0, 0
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return 0, 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0, 0
	}
	return 0, resp.StatusCode
}
