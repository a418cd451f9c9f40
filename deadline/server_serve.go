package deadline

import (
	"context"
	"net/http"
	"time"
)

// HeaderExpired is in the answer to a request whose time was up. With it a caller can tell "you gave too little" from "this
// server is slow", and does not try again where the time was all that there is.
const HeaderExpired = "X-Deadline-Expired"

// AnswerExpired answers 504 with HeaderExpired and without Retry-After. It is not 408, which says that the client sent its
// request too slowly and invites to send it again, and not 503, which says "overloaded, try later" and would spoil the figures
// of real load shedding. A Server.Expired of one's own can add to it: X-Envoy-Ratelimited: 1 keeps Envoy's gateway-error
// policy from trying again.
func AnswerExpired(w http.ResponseWriter, _ *http.Request, _ *Error) {
	h := w.Header()
	for _, field := range ofTheHandler {
		delete(h, field)
	}
	h[HeaderExpired] = expiredValue
	h["Content-Type"] = expiredType
	h["X-Content-Type-Options"] = expiredSniff
	w.WriteHeader(http.StatusGatewayTimeout)
	_, _ = w.Write(expiredBody)
}

// What a handler may have said of the answer that it did not write. A 504 must not be kept by a cache for as long as that.
var ofTheHandler = []string{"Cache-Control", "Content-Encoding", "Content-Length", "Etag", "Expires", "Last-Modified", "Retry-After"}

// The rest of the answer, made once: under overload, this is the path that runs most.
var (
	expiredValue = []string{"1"}
	expiredType  = []string{"text/plain; charset=utf-8"}
	expiredSniff = []string{"nosniff"}
	expiredBody  = []byte("deadline exceeded\n")
)

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	ctx := r.Context()
	route := s.routes.of(r)
	if ctx.Err() == context.Canceled {
		if s.Mode == Observe {
			s.next.ServeHTTP(w, r)
			return
		}
		tell(ctx, s.Observer, Event{Kind: CountClientGone, Name: route.Name})
		return // nobody to answer, and no deadline event
	}
	g := s.grant(ctx, r, route, now)
	if s.Mode == Observe {
		s.observe(w, r, route, g, now)
		return
	}
	switch {
	case g.bad:
		http.Error(w, "malformed deadline header", http.StatusBadRequest)
		return
	case g.reject == 0:
		s.ceiling.served()
	case !s.ceiling.reject():
		tell(ctx, s.Observer, Event{Kind: CountRejectCeiling, Name: route.Name, Time: g.left})
		g = s.mercy(ctx, route)
	}
	if g.reject != 0 {
		s.reject(w, r, route, g)
		return
	}
	if route.Stream {
		s.stream(w, r, route, g, now)
		return
	}
	s.serve(w, r, route, g, now)
}

// visible is what the handler sees of the headers: at the edge, nothing that a caller says of its time, be it in the dialects
// that are read here or in our own, which a proxy would hand on. A handler does not change the request that it was given, so
// that is a copy, with the values shared.
func (s *server) visible(h http.Header) http.Header {
	if s.Trust != Untrusted || !bring(h, s.Headers) && !bring(h, ours) {
		return h
	}
	h = share(h, 0)
	removeHeaders(h, s.Headers)
	removeHeaders(h, ours)
	return h
}

// mercy is the grant of a request that the ceiling lets through: the route's default, as if nothing had come with it. A
// context that is at its end it cannot lengthen.
func (s *server) mercy(ctx context.Context, route *Route) grant {
	left := route.Default
	if parent, ok := Remaining(ctx); ok {
		left = min(left, parent)
	}
	g := route.grant(left)
	if g.reject == BelowMinimum && g.usable > 0 {
		g.reject = 0 // little is better than none for a request that was let through
	}
	return g
}

// reject answers on arrival, and starts nothing.
func (s *server) reject(w http.ResponseWriter, r *http.Request, route *Route, g grant) {
	s.tellRejected(r.Context(), route, g)
	if s.Expired == nil {
		AnswerExpired(w, r, nil)
		return
	}
	s.Expired(w, r, &Error{Op: route.Name, Reason: g.reject, Remaining: g.left, Need: sum(route.Reserve, route.Min), Whole: true})
}

func (s *server) tellRejected(ctx context.Context, route *Route, g grant) {
	kind := CountExpiredOnArrival
	if g.reject == BelowMinimum {
		kind = CountBelowMinimum
	}
	tell(ctx, s.Observer, Event{Kind: kind, Name: route.Name, Time: g.left})
}

// serve calls the handler with its deadline. If that passes and the handler comes back without having written, the answer is
// 504, written here, in the request's own goroutine: no second goroutine races it for the writer, and nothing is buffered. A
// handler that does not listen to its context is not cut off: for routes that are not streams, an http.TimeoutHandler within
// the Server, made for the request with the time it has left, does that.
func (s *server) serve(w http.ResponseWriter, r *http.Request, route *Route, g grant, now time.Time) {
	e := &exchange{ResponseWriter: w}
	e.account.open(r.Context(), s.Observer, now, g.usable, route.Name)
	defer e.account.close()
	s.next.ServeHTTP(e, e.under(r, s.visible(r.Header)))
	if e.wrote {
		return
	}
	if gone(r.Context()) {
		tell(e, s.Observer, Event{Kind: CountClientGone, Name: route.Name})
		return
	}
	if left, ok := Remaining(e); ok && left <= 0 {
		s.late(w, r, route, left)
	}
}

// late answers for a handler that has not.
func (s *server) late(w http.ResponseWriter, r *http.Request, route *Route, left time.Duration) {
	if s.Expired == nil {
		AnswerExpired(w, r, nil)
		return
	}
	s.Expired(w, r, &Error{Op: route.Name, Reason: Expired, Remaining: left, Over: max(0, -left), Whole: true})
}

// gone reports whether the caller left, which is no matter of deadlines.
func gone(ctx context.Context) bool { return ctx.Err() == context.Canceled }

// observe calls the handler as if there were no Server, and tells what there would have been.
func (s *server) observe(w http.ResponseWriter, r *http.Request, route *Route, g grant, now time.Time) {
	ctx := r.Context()
	if g.reject != 0 {
		s.tellRejected(ctx, route, g)
	}
	left := s.watch(ctx)
	s.next.ServeHTTP(w, r)
	if wasted, ok := left(); ok {
		tell(ctx, s.Observer, Event{Kind: TimeWastedAfterClientGone, Name: route.Name, Time: wasted})
		return
	}
	if over := time.Since(now) - max(0, g.usable); over > 0 && !route.Stream && !g.bad {
		tell(ctx, s.Observer, Event{Kind: CountLateFinish, Name: route.Name})
		tell(ctx, s.Observer, Event{Kind: TimeWastedAfterDeadline, Name: route.Name, Time: over})
	}
}

// watch notes when the caller leaves. What it returns says how long ago that was, if it was at all.
func (s *server) watch(ctx context.Context) func() (time.Duration, bool) {
	if !watched(s.Observer) {
		return func() (time.Duration, bool) { return 0, false }
	}
	left := make(chan time.Time, 1)
	stop := context.AfterFunc(ctx, func() { left <- time.Now() })
	return func() (time.Duration, bool) {
		if stop() || !gone(ctx) {
			return 0, false
		}
		return time.Since(<-left), true
	}
}
