package deadline

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

var (
	errNoFirstByte = errors.New("the stream has not begun")
	errSilent      = errors.New("the stream was silent")
)

// stream calls the handler of a route whose answer goes on. The budget is for the first byte, or for the handshake of a
// hijacked connection. From then on each write may take, and the time between two writes may be, as long as Server.Stream:
// then the context ends, and the connection refuses further writes. A hijacked connection is the handler's alone.
//
// The context has no deadline, since a stream has none; it is Canceled with an [*Error] as its cause when the first byte is
// late, or after the silence. A [Transport] beneath sends on what is left for the first byte.
func (s *server) stream(w http.ResponseWriter, r *http.Request, route *Route, g grant, now time.Time) {
	ctx, cancel := context.WithCancelCause(r.Context())
	e := &exchange{ResponseWriter: w}
	e.account.Budget = Budget{Route: route.Name, Total: g.usable, Began: now}
	e.account.Context, e.account.observer = ctx, s.Observer
	e.silence = &silence{name: route.Name, gap: s.Stream, first: now.Add(g.usable), cancel: cancel, out: http.NewResponseController(w)}
	e.silence.start(g.usable)
	left := s.watch(r.Context())
	defer func() {
		e.silence.finish()
		if wasted, ok := left(); ok {
			tell(e, s.Observer, Event{Kind: TimeWastedAfterClientGone, Name: route.Name, Time: wasted})
		}
		cancel(context.Canceled)
	}()
	s.next.ServeHTTP(e, e.under(r, s.visible(r.Header)))
	over, late := e.silence.over()
	if late && !gone(r.Context()) {
		tell(e, s.Observer, Event{Kind: CountLateFinish, Name: route.Name})
		tell(e, s.Observer, Event{Kind: TimeWastedAfterDeadline, Name: route.Name, Time: over})
	}
	if e.wrote {
		return
	}
	if gone(r.Context()) {
		tell(e, s.Observer, Event{Kind: CountClientGone, Name: route.Name})
		return
	}
	if late {
		s.late(w, r, route, -over)
	}
}

// A silence is the watch over a stream: until its first byte, and then from each sign of life to the next. A nil silence is
// that of an answer which is no stream.
type silence struct {
	name   string
	gap    time.Duration
	first  time.Time // when the first byte is due
	cancel context.CancelCauseFunc
	out    *http.ResponseController

	mu    sync.Mutex
	timer *time.Timer
	begun bool      // the first byte is out
	ended bool      // the handler is back, or has the connection
	fired time.Time // when the time was up
}

func (q *silence) start(left time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.timer = time.AfterFunc(left, q.fire)
}

// fire ends the context.
func (q *silence) fire() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended {
		return
	}
	why := errNoFirstByte
	if q.begun {
		why = errSilent
	}
	q.fired = time.Now()
	q.cancel(&Error{Op: q.name, Reason: Expired, Whole: true, Last: why})
}

// broken is a sign of life. Once the time was up it comes too late: a deadline that has passed is not revived.
func (q *silence) broken() {
	if q == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || !q.fired.IsZero() {
		return
	}
	q.begun = true
	q.timer.Reset(q.gap)
	// A writer beneath that knows no deadlines leaves the timer alone to watch; the handler's context still ends.
	_ = q.out.SetWriteDeadline(time.Now().Add(q.gap))
}

// end stops the watch: the connection is the handler's, and the deadline of its handshake is taken off it.
func (q *silence) end() {
	if q == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended, q.begun = true, true
	q.timer.Stop()
}

// finish sends what is buffered while the deadline still holds, and then takes the deadline off: the connection may serve
// another request. net/http's server does so too between two requests; other writers beneath need not.
func (q *silence) finish() {
	q.mu.Lock()
	ended := q.ended
	q.ended = true
	q.timer.Stop()
	begun := q.begun
	q.mu.Unlock()
	if ended || !begun {
		return
	}
	_ = q.out.Flush()
	_ = q.out.SetWriteDeadline(time.Time{})
}

// over reports whether the time was up, and how long ago.
func (q *silence) over() (time.Duration, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fired.IsZero() {
		return 0, false
	}
	return time.Since(q.fired), true
}

type silenceKey struct{}

// Value finds the watch over a stream, beside what the account finds.
func (e *exchange) Value(key any) any {
	if key == (silenceKey{}) && e.silence != nil {
		return e.silence
	}
	return e.account.Value(key)
}

// firstByte is the time left until the first byte of the stream that ctx belongs to is due, if it is not out yet.
func firstByte(ctx context.Context) (time.Duration, bool) {
	q, ok := ctx.Value(silenceKey{}).(*silence)
	if !ok {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.begun || q.ended {
		return 0, false
	}
	return time.Until(q.first), true
}
