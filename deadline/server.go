package deadline

import (
	"errors"
	"net/http"
	"time"
)

// Budgets for the three kinds of work at the edge. They are where to begin, not what to keep: a route's own figures are better.
const (
	Human    = 30 * time.Second // somebody waits for the answer
	Batch    = 60 * time.Second // a job that nobody looks at
	Internal = 5 * time.Second  // a synchronous call from another service
)

// A Server gives every request a deadline: what the route allows, what came with the request, whichever the trust says. It
// refuses what comes too late to be of use, and says so with 504 and [HeaderExpired].
//
// Begin with Mode: [Observe], which changes nothing and tells the observer what enforcement would do. The zero value enforces,
// and gives each request [Human], less whatever the caller says is left.
//
// For all trusts and all inputs the request's deadline is at most min(the context's, now + the route's Max): nothing that
// comes from outside extends it.
type Server struct {
	Trust Trust
	// Routes are the budgets by pattern. What no pattern matches gets Default, Max, Min and Reserve.
	Routes []Route
	// Default is the budget of a request that says nothing; 0 is Human.
	Default time.Duration
	// Max is the most that a trusted caller may ask for; 0 is Default.
	Max time.Duration
	// Min is the least time in which the handler is of use. With less, the request is rejected on arrival.
	Min time.Duration
	// Reserve is what is kept of the budget for the answer and for cleaning up: the handler's context ends that much
	// earlier. letsencrypt/boulder keeps 20 ms, and refuses below 100 ms.
	Reserve time.Duration
	// Headers are the dialects to read, the smallest valid value of all; nil is X-Deadline-Ms and, if Skew is set, X-Deadline.
	Headers []Dialect
	// Skew declares by how much the clocks of the callers and of this machine may differ. 0 declares nothing, and absolute
	// headers are then ignored. It must be longer than a request can wait on its way; what is past by more is ignored too.
	Skew time.Duration
	// Strict answers 400 to a header that is not in form. Without it the header is ignored and counted, and the route's
	// default holds. It is never read as unlimited.
	Strict bool
	// Arrival says when the request arrived, if that was before this handler was called, as [RequestStart] reads it from the
	// stamp of a trusted router. The time since is taken off. nil, and a zero time, are now.
	Arrival func(*http.Request) time.Time
	// Transit is what the way here takes, taken off what a header says is left, unless the header is absolute.
	Transit time.Duration
	// Stream is how long a stream may be silent, once it has begun; 0 is Batch. It is for the routes that are declared to
	// be streams.
	Stream time.Duration
	// Expired answers a request that is rejected, or whose handler came back too late and had not written. nil is
	// [AnswerExpired]. It is called in the goroutine of the request, and may read err but must not keep it.
	Expired func(w http.ResponseWriter, r *http.Request, err *Error)
	Mode    Mode
	// MaxRejectFraction is the most of the requests of the last ten seconds that may be rejected on arrival, against a
	// mistake that would reject them all: a clock, a unit, a default. What goes over it is let through with the route's
	// default. It is for the first weeks: under twice the load a server can bear, half of the requests are rightly
	// rejected. 0 is no ceiling.
	MaxRejectFraction float64
	// Observer is told; nil is the one of [SetObserver].
	Observer Observer
}

// Trust says what the deadline of a caller may do.
type Trust uint8

// The trusts.
const (
	ShortenOnly Trust = iota // it shortens the route's default
	Trusted                  // it may lengthen too, up to the route's Max
	Untrusted                // the edge: it is ignored, and removed before the handler sees it
)

// Mode says whether the server acts.
type Mode uint8

// The modes.
const (
	Enforce Mode = iota // set the deadline, and reject
	Observe             // change nothing about requests and answers, and tell the observer what Enforce would have done
)

// A Route is the budget of the requests that a pattern of http.ServeMux matches. A duration of 0 is the server's.
type Route struct {
	Pattern string // as in http.ServeMux, such as "POST /orders/{id}"
	Name    string // in metrics and errors; "" is the pattern
	Default time.Duration
	Max     time.Duration
	Min     time.Duration
	Reserve time.Duration
	// Stream says that the answer goes on: server-sent events, a WebSocket, full duplex. The budget is then for the first
	// byte, or the handshake; after it, only a silence of Server.Stream ends the request. It is for the server to declare:
	// a header that could ask for it would be a way around every deadline.
	Stream bool
}

// Validate says what is wrong with the figures, as an [*Error] that is BadPolicy, or nil.
func (s Server) Validate() error {
	_, err := s.build(http.NotFoundHandler())
	if err != nil {
		return err
	}
	return nil
}

// Wrap returns next behind the deadlines. If the figures are not valid ([Server.Validate] says why), no request reaches next:
// each is answered with 500 and the reason, rather than served without a limit.
func (s Server) Wrap(next http.Handler) http.Handler {
	built, err := s.build(next)
	if err != nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		})
	}
	return built
}

// server is a Server with its defaults filled in.
type server struct {
	Server
	next    http.Handler
	routes  routes
	ceiling *ceiling
}

var (
	errServerNegative = errors.New("durations cannot be negative")
	errServerFrame    = errors.New("this dialect travels in a frame and not in a header")
	errServerShare    = errors.New("MaxRejectFraction is not between 0 and 1")
)

func (s Server) build(next http.Handler) (*server, *Error) {
	if s.Skew < 0 || s.Transit < 0 || s.Stream < 0 {
		return nil, &Error{Op: "Server", Reason: BadPolicy, Last: errServerNegative}
	}
	if !(s.MaxRejectFraction >= 0 && s.MaxRejectFraction <= 1) { // NaN is neither
		return nil, &Error{Op: "Server", Reason: BadPolicy, Last: errServerShare}
	}
	if s.Headers == nil {
		s.Headers = []Dialect{XDeadlineMs, XDeadline}
	}
	for _, d := range s.Headers {
		if d.Field() == "" {
			return nil, &Error{Op: d.String(), Reason: BadPolicy, Last: errServerFrame}
		}
	}
	if s.Stream == 0 {
		s.Stream = Batch
	}
	built := &server{Server: s, next: next}
	if s.MaxRejectFraction > 0 && s.MaxRejectFraction < 1 {
		built.ceiling = &ceiling{fraction: s.MaxRejectFraction}
	}
	var err *Error
	built.routes, err = s.compile()
	return built, err
}
