package deadline

import (
	"context"
	"errors"
	"net/http"
	"time"
	"unsafe"
)

// A Transport is an http.RoundTripper that keeps calls within the time that their request has left, and tells the other side
// how much that is.
//
// A call that could not be answered in time is refused before anything is dialled, with an [*Error]. The time left is that of
// the request's context, which http.Client.Timeout shortens too, less what the policy keeps back. It is sent rounded down, as
// late as possible, and less the way there. The request given to it is never changed. The context of a call lives until its
// body was read to the end or closed.
//
// With httputil.ReverseProxy it is the ReverseProxy.Transport, behind a [Server] that gives the route its budget; a deadline
// header that the proxy copied is replaced, or removed where none is to be sent.
type Transport struct {
	// Base does the work; nil is http.DefaultTransport.
	Base http.RoundTripper
	// Policy is that of every host without one of its own.
	Policy Policy
	// PerHost are the policies of the dependencies, by the host of the URL, with the port if it has one. These hosts are
	// sent deadline headers; others are not, since third parties need not know.
	PerHost map[string]Policy
	// SendTo says of a host that is not in PerHost whether it is sent deadline headers; see [AnyHost].
	SendTo func(host string) bool
	// Headers are the dialects to send; nil is X-Deadline-Ms. Absolute ones are for peers whose clocks agree with ours. Of a
	// header that says other things too, such as Prefer, all that it said is replaced.
	Headers []Dialect
	// Latency estimates what the way to the other side takes. nil is nothing.
	Latency *Latency
	// Observer is told of what was sent and what came back; nil is the one of [SetObserver], which is told of refusals too.
	Observer Observer
}

// AnyHost is for Transport.SendTo, where a client calls none but one's own services.
func AnyHost(string) bool { return true }

// ours are the headers that go no further than they were meant for.
var ours = []Dialect{XDeadlineMs, XDeadline}

// sent is what is sent where Headers is nil.
var sent = []Dialect{XDeadlineMs}

var (
	errNoDialect = errors.New("less is left than any header could say")
	errFrame     = errors.New("Headers has only dialects that travel in frames and not in headers")
)

// RoundTrip sends one request.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	policy, send := t.policy(r.URL.Host)
	child, cancel, err := policy.Start(r.Context())
	if err != nil {
		refuseBody(r)
		return nil, err
	}
	c := &call{Context: child, transport: t, policy: policy, above: r.Context(), cancel: cancel, began: time.Now()}
	out, err := c.request(r, send)
	if err != nil {
		cancel()
		refuseBody(r)
		return nil, err
	}
	resp, err := t.base().RoundTrip(out)
	if err != nil {
		err = policy.classify(c.above, child, err)
		c.end()
		return nil, err
	}
	c.answered(r.URL.Host, resp)
	return resp, nil
}

// CloseIdleConnections closes those of Base, which is what http.Client.CloseIdleConnections asks for. If Base has no such method,
// as a RoundTripper need not, it does nothing.
func (t *Transport) CloseIdleConnections() {
	if idle, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// policy is that of the host, and whether it is sent headers.
func (t *Transport) policy(host string) (p Policy, send bool) {
	p, send = t.PerHost[host]
	if !send {
		p, send = t.Policy, t.SendTo != nil && t.SendTo(host)
	}
	if p.Name == "" {
		p.Name = host
	}
	return p, send
}

// refuseBody closes the body of a request that is not sent, as a RoundTripper must.
func refuseBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// request is what is sent instead of r: with the call's context, and headers of its own.
func (c *call) request(r *http.Request, send bool) (*http.Request, error) {
	t := c.transport
	c.out = *r.WithContext(c)
	out := &c.out
	dialects := t.Headers
	if dialects == nil {
		dialects = sent
	}
	left, bounded := Remaining(c)
	if !bounded {
		left, bounded = firstByte(c.above) // of a stream, which has no deadline
	}
	if !bounded || !send {
		if bring(r.Header, ours) || bring(r.Header, dialects) {
			out.Header = r.Header.Clone()
			removeHeaders(out.Header, ours)
			removeHeaders(out.Header, dialects)
		}
		if !bounded {
			return out, nil
		}
	}
	left -= t.Latency.of(r.URL.Host)
	if left <= 0 || left < c.policy.Min {
		return nil, c.tooLittle(left)
	}
	tell(c.above, t.Observer, Event{Kind: TimeRemainingAtSend, Name: c.policy.Name, Time: left})
	if !send {
		return out, nil
	}
	out.Header = share(r.Header, len(dialects))
	removeHeaders(out.Header, ours)
	return out, c.write(out.Header, dialects, left)
}

// write sets the headers. If no dialect can say how little is left, nothing is sent at all: without a header the other side
// would have all the time in the world.
func (c *call) write(h http.Header, dialects []Dialect, left time.Duration) error {
	now, wrote, headers := time.Now(), false, false
	for i, d := range dialects {
		field := d.Field()
		if field == "" {
			continue // of a frame, not of a header
		}
		headers = true
		delete(h, field)
		if i > 0 {
			if value, ok := d.Append(nil, left, now); ok {
				wrote, h[field] = true, []string{text(value)}
			}
			continue
		}
		if value, ok := d.Append(c.digits[:0], left, now); ok {
			wrote, c.value[0] = true, text(value)
			h[field] = c.value[:]
		}
	}
	if !headers {
		return &Error{Op: c.policy.Name, Reason: BadPolicy, Last: errFrame}
	}
	if !wrote {
		return c.tooLittle(left)
	}
	return nil
}

// text is value as a string, without a copy: it is the call's own, and nobody writes to it again. strings.Builder does the same.
func text(value []byte) string { return unsafe.String(unsafe.SliceData(value), len(value)) }

// tooLittle is the refusal of a call that would begin with left.
func (c *call) tooLittle(left time.Duration) error {
	tell(c.above, c.transport.Observer, Event{Kind: CountBelowMinimum, Name: c.policy.Name, Label: "minimum", Time: left})
	e := &Error{Op: c.policy.Name, Reason: BelowMinimum, Remaining: left, Need: max(c.policy.Min, time.Millisecond)}
	if left >= c.policy.Min && left > 0 {
		e.Last = errNoDialect
	}
	return e
}

// share is a copy of h with room for n more. The values are shared, with no room to grow: nobody may change them, and who adds
// to them gets a copy.
func share(h http.Header, n int) http.Header {
	out := make(http.Header, len(h)+n)
	for field, values := range h {
		out[field] = values[:len(values):len(values)]
	}
	return out
}

// A call is one round trip, from its start to the end of its body, and the context of the request that is sent for it.
type call struct {
	context.Context
	transport *Transport
	policy    Policy
	above     context.Context // of the request that was given
	cancel    context.CancelFunc
	began     time.Time
	out       http.Request // these four are parts of the call to save an allocation each:
	body      body
	value     [1]string // the first header's
	digits    [24]byte  // its text, where that is short enough
}

type callKey struct{}

// Value finds the call.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}
