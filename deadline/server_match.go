package deadline

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A tree finds the pattern of http.ServeMux that a request matches, as ServeMux does, but without the values of its wildcards: those
// cost ServeMux allocations, and a Server does not need them. It is filled with patterns that a ServeMux has taken, so that of
// two which match the same request one is more specific, and the first found is the one.
type tree map[string]methods // by host, "" being any

type methods map[string]*node // by method, "" being any

// A node is what follows a part of a path.
type node struct {
	literals map[string]*node // the next segment, word for word
	single   *node            // the next segment, whatever it is
	here     *Route           // the path ends here
	slash    *Route           // it ends here with a slash, {$}
	rest     *Route           // anything follows: a slash at the end of a pattern, or {name...}
}

// add enters the route of a pattern that is in form.
func (t tree) add(pattern string, r *Route) {
	method, place := "", pattern
	if i := strings.IndexAny(pattern, " \t"); i >= 0 {
		method, place = pattern[:i], strings.TrimLeft(pattern[i:], " \t")
	}
	host, path, _ := strings.Cut(place, "/")
	if t[host] == nil {
		t[host] = methods{}
	}
	if t[host][method] == nil {
		t[host][method] = new(node)
	}
	n := t[host][method]
	for more := true; more; {
		var segment string
		segment, path, more = strings.Cut(path, "/")
		switch {
		case segment == "{$}":
			n.slash = r
			return
		case segment == "" || strings.HasSuffix(segment, "...}"):
			n.rest = r
			return
		case segment[0] == '{':
			if n.single == nil {
				n.single = new(node)
			}
			n = n.single
		default:
			n = n.literal(unescape(segment))
		}
	}
	n.here = r
}

// literal is the node after a segment, made if it is not there.
func (n *node) literal(segment string) *node {
	if n.literals == nil {
		n.literals = map[string]*node{}
	}
	if n.literals[segment] == nil {
		n.literals[segment] = new(node)
	}
	return n.literals[segment]
}

// of is the route of r, or nil. A path that a ServeMux would redirect to its clean form has none.
func (t tree) of(r *http.Request) *Route {
	path, host := r.URL.EscapedPath(), r.Host
	if r.Method != http.MethodConnect {
		if !clean(path) {
			return nil
		}
		if len(t) > 1 || t[""] == nil { // or no pattern asks for a host
			host = withoutPort(host)
		}
	}
	if host != "" {
		if route := t[host].of(r.Method, path); route != nil {
			return route
		}
	}
	return t[""].of(r.Method, path)
}

// of is the route of a path: of its method, of GET for HEAD, or of any.
func (m methods) of(method, path string) *Route {
	if route := m[method].of(path); route != nil {
		return route
	}
	if method == http.MethodHead {
		if route := m[http.MethodGet].of(path); route != nil {
			return route
		}
	}
	return m[""].of(path)
}

// of is the route of what remains of a path: nothing, or what begins with a slash. The word goes before the wildcard.
func (n *node) of(path string) *Route {
	switch {
	case n == nil:
		return nil
	case path == "":
		return n.here
	case path == "/":
		if n.slash != nil {
			return n.slash
		}
		return n.rest
	}
	segment, rest := path[1:], ""
	if i := strings.IndexByte(segment, '/'); i >= 0 {
		segment, rest = segment[:i], segment[i:]
	}
	if route := n.literals[unescape(segment)].of(rest); route != nil {
		return route
	}
	if route := n.single.of(rest); route != nil {
		return route
	}
	return n.rest
}

// clean reports whether a path is what it would be cleaned to: it begins with a slash and has no segment that is empty, "." or "..".
func clean(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	for rest := path[1:]; rest != ""; {
		segment, after, more := strings.Cut(rest, "/")
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
		rest = after
		if !more {
			break
		}
	}
	return true
}

// unescape is a segment as it was meant, or as it is if it means nothing.
func unescape(segment string) string {
	if s, err := url.PathUnescape(segment); err == nil {
		return s
	}
	return segment
}

// withoutPort is the name of a host.
func withoutPort(host string) string {
	if strings.IndexByte(host, ':') < 0 {
		return host
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
