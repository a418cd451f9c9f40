package deadline

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// routes finds the route of a request.
type routes struct {
	tree      tree // nil if there are no patterns
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
		rs.tree, rs.byPattern = tree{}, make(map[string]*Route, len(s.Routes))
	}
	mux := http.NewServeMux()
	for _, r := range s.Routes {
		if r.Name == "" {
			r.Name = r.Pattern
		}
		if err := r.complete(fallback); err != nil {
			return rs, err
		}
		if err := r.register(mux); err != nil {
			return rs, err
		}
		rs.tree.add(r.Pattern, &r)
		rs.byPattern[r.Pattern] = &r
	}
	return rs, nil
}

// register enters the pattern into a mux, which panics on one that is wrong, there twice, or in conflict with another.
func (r *Route) register(mux *http.ServeMux) (err *Error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = &Error{Op: r.Name, Reason: BadPolicy, Last: fmt.Errorf("%v", wrong)}
		}
	}()
	mux.Handle(r.Pattern, http.NotFoundHandler())
	return nil
}

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
	if rs.tree == nil {
		return rs.fallback
	}
	if route, ok := rs.byPattern[r.Pattern]; ok {
		return route
	}
	if route := rs.tree.of(r); route != nil {
		return route
	}
	return rs.fallback
}
