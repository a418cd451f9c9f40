//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// scenarios has for each kind of event what makes it, and the one event of the kind that is told then.
var scenarios = map[Kind]struct {
	run  func(ctx context.Context) // ctx has a second left
	want Event
}{
	CountReceived: {func(context.Context) { arrive(Server{}, "X-Deadline-Ms: 500") },
		Event{Name: "default", Label: "X-Deadline-Ms", Time: 500 * time.Millisecond}},
	TimeRemainingOnArrival: {func(context.Context) { arrive(Server{}, "X-Deadline-Ms: 0") },
		Event{Name: "default", Label: "X-Deadline-Ms"}},
	CountAbsent:    {func(context.Context) { arrive(Server{}, "") }, Event{Name: "default"}},
	CountMalformed: {func(context.Context) { arrive(Server{}, "X-Deadline-Ms: soon") }, Event{Label: "X-Deadline-Ms"}},
	CountSkewed:    {func(context.Context) { arrive(Server{Skew: time.Second}, "X-Deadline: 1") }, Event{Label: "X-Deadline"}},
	CountExtendDenied: {func(context.Context) { arrive(Server{Default: time.Second}, "X-Deadline-Ms: 5000") },
		Event{Name: "default", Time: 5 * time.Second}},
	CountClampedByRoute: {func(context.Context) { arrive(Server{Default: time.Second, Trust: Trusted}, "X-Deadline-Ms: 5000") },
		Event{Name: "default", Time: 5 * time.Second}},
	CountClampedByParent: {func(ctx context.Context) { start(ctx, Policy{Name: "db", Cap: time.Minute, Reserve: time.Millisecond}) },
		Event{Name: "db", Time: 999 * time.Millisecond}},
	CountExpiredOnArrival: {func(context.Context) { arrive(Server{}, "X-Deadline-Ms: 0") }, Event{Name: "default"}},
	CountRejectCeiling:    {func(context.Context) { arrive(Server{MaxRejectFraction: 0.1}, "X-Deadline-Ms: 0") }, Event{Name: "default"}},
	CountBelowMinimum: {func(ctx context.Context) { start(ctx, Policy{Name: "db", Min: time.Minute}) },
		Event{Name: "db", Label: "minimum", Time: time.Second}},
	CountUnboundedCall: {func(context.Context) { start(context.Background(), Policy{Name: "db"}) }, Event{Name: "db"}},
	CountQueueDropped: {func(ctx context.Context) { Stamp(ctx, 1).Take(Policy{Name: "jobs", Min: time.Minute}) },
		Event{Name: "jobs", Label: "minimum", Time: time.Second}},
	TimeQueueWait: {func(ctx context.Context) {
		it := Stamp(ctx, 1)
		time.Sleep(time.Millisecond)
		it.Take(Policy{Name: "jobs"})
	},
		Event{Name: "jobs", Time: time.Millisecond}},
	CountRetryDenied: {func(ctx context.Context) {
		Retry{Name: "db", Min: time.Second, Backoff: Constant(0)}.Do(ctx, func(context.Context) error { time.Sleep(time.Millisecond); return errBusy })
	}, Event{Name: "db", Label: "fit", Time: 999 * time.Millisecond}},
	CountLateFinish:         {func(ctx context.Context) { work(ctx, time.Second, 3*time.Second) }, Event{Name: "job"}},
	TimeWastedAfterDeadline: {func(ctx context.Context) { work(ctx, time.Second, 3*time.Second) }, Event{Name: "job", Time: 2 * time.Second}},
	TimeWastedAfterClientGone: {func(context.Context) {
		ctx, leave := context.WithCancel(context.Background())
		time.AfterFunc(time.Second, leave)
		work(ctx, time.Minute, 3*time.Second)
	}, Event{Name: "job", Time: 2 * time.Second}},
	CountClientGone: {func(context.Context) {
		ctx, leave := context.WithCancel(context.Background())
		leave()
		Server{}.Wrap(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), asking().WithContext(ctx))
	}, Event{Name: "default"}},
	ShareOfBudget: {func(ctx context.Context) {
		ctx, done := WithBudget(ctx, 500*time.Millisecond, "job")
		defer done()
		Policy{Name: "db"}.Do(ctx, func(context.Context) error { time.Sleep(125 * time.Millisecond); return nil })
	}, Event{Name: "db", Time: 125 * time.Millisecond, Share: 0.25}},
	TimeRemainingAtSend: {func(ctx context.Context) { call504(ctx) }, Event{Name: "a", Time: 999 * time.Millisecond}},
	CountPeerExpired:    {func(ctx context.Context) { call504(ctx) }, Event{Name: "a", Label: "whole", Time: time.Second}},
}

var errBusy = errors.New("busy")

// arrive serves a request with one header.
func arrive(s Server, line string) {
	r := asking()
	if line != "" {
		r = asking(line)
	}
	s.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(httptest.NewRecorder(), r)
}

func start(ctx context.Context, p Policy) {
	_, cancel, _ := p.Start(ctx)
	cancel()
}

// work is a job that takes so long, whatever its budget.
func work(ctx context.Context, budget, takes time.Duration) {
	_, done := WithBudget(ctx, budget, "job")
	defer done()
	time.Sleep(takes)
}

// call504 is a call whose other side says that its time is up.
func call504(ctx context.Context) {
	r, _ := http.NewRequestWithContext(ctx, "GET", "http://a/", nil)
	tr := Transport{Latency: &Latency{Fixed: time.Millisecond}, Base: base(func(r *http.Request) (*http.Response, error) {
		return answer(r, 504, "X-Deadline-Expired: 1"), nil
	})}
	if resp, err := tr.RoundTrip(r); err == nil {
		resp.Body.Close()
	}
}

// TestEvents: each kind of event there is is told, once, with its name, label and time.
func TestEvents(t *testing.T) {
	for _, k := range Kinds() {
		t.Run(k.String(), func(t *testing.T) {
			s, ok := scenarios[k]
			if !ok {
				t.Fatal("nothing tells it")
			}
			synctest.Test(t, func(t *testing.T) {
				told := observe(t)
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				s.run(ctx)
				s.want.Kind = k
				if got := told.of(k); len(got) != 1 || got[0] != s.want {
					t.Errorf("told %+v, want %+v", got, s.want)
				}
			})
		})
	}
}
