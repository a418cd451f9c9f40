package deadline

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// routes finds the route of a request.
type routes struct {
	mux       *http.ServeMux // patterns to *Route, nil if there are none
	byPattern map[string]*Route
	fallback  *Route
}

// compile fills in the defaults of the routes and checks them.
func (s Server) compile() (routes, *Error) {
	fallback := Route{Name: "default", Default: s.Default, Max: s.Max, Min: s.Min, Reserve: s.Reserve}
	if fallback.Default == 0 {
		fallback.Default = Human
	}
	rs := routes{fallback: &fallback}
	if err := fallback.complete(fallback); err != nil {
		return rs, err
	}
	if len(s.Routes) > 0 {
		rs.mux, rs.byPattern = http.NewServeMux(), make(map[string]*Route, len(s.Routes))
	}
	for _, r := range s.Routes {
		if r.Name == "" {
			r.Name = r.Pattern
		}
		if err := r.complete(fallback); err != nil {
			return rs, err
		}
		if err := rs.register(r.Pattern, &r); err != nil {
			return rs, err
		}
		rs.byPattern[r.Pattern] = &r
	}
	if rs.mux != nil && rs.byPattern["/"] == nil { // or the mux would work out an answer of 404 or 405 for the rest
		return rs, rs.register("/", rs.fallback)
	}
	return rs, nil
}

// register enters r into the mux, which panics on a pattern that is wrong or there twice.
func (rs *routes) register(pattern string, r *Route) (err *Error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = &Error{Op: r.Name, Reason: BadPolicy, Last: fmt.Errorf("%v", wrong)}
		}
	}()
	rs.mux.Handle(pattern, (*matched)(r))
	return nil
}

// matched is a route as what the mux finds; it is never called.
type matched Route

func (*matched) ServeHTTP(http.ResponseWriter, *http.Request) {}

var (
	errRouteNegative = errors.New("Default, Max, Min and Reserve cannot be negative")
	errRouteDefault  = errors.New("Default is more than Max")
	errRouteMin      = errors.New("Reserve and Min together are more than Default, so that every request without a header would be rejected")
)

// complete takes what is 0 from the server's own figures, and checks the result.
func (r *Route) complete(server Route) *Error {
	own := r.Default
	fill(&r.Default, server.Default)
	fill(&r.Min, server.Min)
	fill(&r.Reserve, server.Reserve)
	if r.Max == 0 && own == 0 {
		r.Max = server.Max
	}
	fill(&r.Max, r.Default)
	var wrong error
	switch {
	case r.Default < 0 || r.Max < 0 || r.Min < 0 || r.Reserve < 0:
		wrong = errRouteNegative
	case r.Default > r.Max:
		wrong = errRouteDefault
	case r.Reserve >= r.Default || r.Min > r.Default-r.Reserve:
		wrong = errRouteMin
	default:
		return nil
	}
	return &Error{Op: r.Name, Reason: BadPolicy, Last: wrong}
}

func fill(d *time.Duration, with time.Duration) {
	if *d == 0 {
		*d = with
	}
}

// of is the route of r. Behind a mux the request knows its pattern; before it, the patterns are matched here.
func (rs *routes) of(r *http.Request) *Route {
	if rs.mux == nil {
		return rs.fallback
	}
	if route, ok := rs.byPattern[r.Pattern]; ok {
		return route
	}
	h, _ := rs.mux.Handler(r)
	if found, ok := h.(*matched); ok {
		return (*Route)(found)
	}
	return rs.fallback
}
