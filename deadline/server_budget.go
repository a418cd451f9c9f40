package deadline

import (
	"context"
	"net/http"
	"time"
)

// A grant is the time that a request is given, or why it is given none.
type grant struct {
	left   time.Duration // until the request's deadline
	usable time.Duration // of it, what the handler has: less the reserve
	reject Reason        // Expired, BelowMinimum, or 0
	bad    bool          // a header is not in form, and the server is strict
}

// grant works out the time of a request at now, and tells the observer how it came to it.
func (s *server) grant(ctx context.Context, r *http.Request, route *Route, now time.Time) grant {
	elapsed := s.elapsed(r, now)
	left := route.Default - elapsed
	if s.Trust != Untrusted {
		in := readHeaders(ctx, s.Observer, r.Header, s.Headers, now, s.Skew, sum(elapsed, s.Transit))
		if in.malformed && s.Strict {
			return grant{bad: true}
		}
		if in.found {
			tell(ctx, s.Observer, Event{Kind: CountReceived, Name: route.Name, Label: in.from.String(), Time: in.left})
			tell(ctx, s.Observer, Event{Kind: TimeRemainingOnArrival, Name: route.Name, Label: in.from.String(), Time: in.left})
			left = s.accept(ctx, in.left, left, elapsed, route)
		} else {
			tell(ctx, s.Observer, Event{Kind: CountAbsent, Name: route.Name})
		}
	}
	if parent, ok := Remaining(ctx); ok && parent < left {
		left = parent
		tell(ctx, s.Observer, Event{Kind: CountClampedByParent, Name: route.Name, Time: left})
	}
	return route.grant(left)
}

// accept is what becomes of the time that a header says is left, where the default would be other.
func (s *server) accept(ctx context.Context, header, other, elapsed time.Duration, route *Route) time.Duration {
	if header <= other {
		return header
	}
	if s.Trust != Trusted {
		tell(ctx, s.Observer, Event{Kind: CountExtendDenied, Name: route.Name, Time: header})
		return other
	}
	if most := route.Max - elapsed; header > most {
		tell(ctx, s.Observer, Event{Kind: CountClampedByRoute, Name: route.Name, Time: header})
		return most
	}
	return header
}

// grant is what left amounts to on this route.
func (r *Route) grant(left time.Duration) grant {
	if left <= 0 {
		return grant{left: left, reject: Expired}
	}
	g := grant{left: left, usable: left - r.Reserve}
	switch {
	case g.usable <= 0 || g.usable < r.Min:
		g.reject = BelowMinimum
	}
	return g
}

// elapsed is the time that the request has spent before now. A stamp in the future is a clock that is wrong.
func (s *server) elapsed(r *http.Request, now time.Time) time.Duration {
	if s.Arrival == nil {
		return 0
	}
	at := s.Arrival(r)
	if at.IsZero() {
		return 0
	}
	return max(0, now.Sub(at))
}

// RequestStart reads when a request arrived from the stamp that a router in front has set, such as X-Request-Start: seconds,
// milliseconds or microseconds since 1970, after "t=" or not, as nginx, Heroku and Apache have it. What is not in form is the
// zero time. A peer that can set the header itself can only shorten its own budget with it; a router whose clock is ahead of
// ours by more than a budget makes every request look late, so declare it only of a router that keeps time, and with a ceiling
// on rejections at first.
func RequestStart(header string) func(*http.Request) time.Time {
	field := XDeadline.Named(header).Field()
	return func(r *http.Request) time.Time {
		values := r.Header[field]
		if len(values) == 0 {
			return time.Time{}
		}
		s := trim(values[0])
		if len(s) > 2 && s[:2] == "t=" {
			s = s[2:]
		}
		n, frac, rest, ok := number(s)
		if !ok || rest != "" {
			return time.Time{}
		}
		switch { // until the year 2286 the number of digits tells the unit
		case n < 1e9:
			return time.Time{}
		case n < 1e10:
			return time.Unix(int64(n), int64(frac))
		case n < 1e13:
			return time.UnixMilli(int64(n))
		case n < 1e16:
			return time.UnixMicro(int64(n))
		}
		return time.Time{}
	}
}
