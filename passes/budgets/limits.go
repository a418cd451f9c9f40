package budgets

import (
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/durations"
)

// fixed looks at the timeouts of servers and clients that fn makes: one that ends before another below it can.
func (p *program) fixed(fn *ssa.Function) []Misfit {
	var out []Misfit
	for in := range ssawalk.Instrs(fn) {
		st, ok := in.(*ssa.Store)
		if !ok {
			continue
		}
		switch {
		case isField(st.Addr, "net/http", "Server", "WriteTimeout"):
			if m, ok := p.writeTimeout(st); ok {
				out = append(out, m)
			}
		case isField(st.Addr, "net/http", "Client", "Timeout"):
			if m, ok := p.clientTimeout(st); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

// isField reports whether addr is the address of that field.
func isField(addr ssa.Value, pkg, typ, name string) bool {
	f, ok := addr.(*ssa.FieldAddr)
	return ok && typeset.Is(typeset.Deref(f.X.Type()), pkg, typ) && fieldName(f) == name
}

func fieldName(f *ssa.FieldAddr) string {
	st, ok := typeset.Deref(f.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	return st.Field(f.Field).Name()
}

// stored returns the only value that is stored to a field of the struct at base, in the function that makes it, or nil.
func stored(base ssa.Value, name string) ssa.Value {
	refs := base.Referrers()
	if refs == nil {
		return nil
	}
	var out ssa.Value
	for _, ref := range *refs {
		f, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldName(f) != name {
			continue
		}
		for _, use := range *f.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == f {
				if out != nil {
					return nil
				}
				out = st.Val
			}
		}
	}
	return out
}

// writeTimeout compares a server's WriteTimeout, which runs from the end of the request's header, with the timeout of its
// handler: what http.TimeoutHandler answers then is never sent. Without one, with how long the handlers hold a request.
func (p *program) writeTimeout(st *ssa.Store) (Misfit, bool) {
	limit, ok := p.lengths.Usual(st.Val)
	if !ok || limit <= 0 {
		return Misfit{}, false
	}
	made, length, ok := p.timeoutHandler(stored(st.Addr.(*ssa.FieldAddr).X, "Handler"), 0)
	switch {
	case !ok:
		return p.held(st, limit)
	case length < limit:
		return Misfit{}, false
	}
	return Misfit{Kind: "write", At: st.Pos(), Limit: limit, Total: length, Name: "http.Server", Parts: []Part{
		{Pos: made.Pos(), Text: "the handler takes up to " + durations.Text(length)},
	}}, true
}

// maxWrappers is how many handlers may be put around a TimeoutHandler.
const maxWrappers = 4

// timeoutHandler returns the call of http.TimeoutHandler that a handler is, or wraps, and its timeout.
func (p *program) timeoutHandler(v ssa.Value, depth int) (*ssa.Call, time.Duration, bool) {
	if v == nil || depth > maxWrappers {
		return nil, 0, false
	}
	c, ok := ssawalk.Source(v).(*ssa.Call)
	if !ok {
		return nil, 0, false
	}
	if ssawalk.CalleeName(c) == "net/http.TimeoutHandler" {
		d, ok := p.lengths.Usual(c.Call.Args[1])
		return c, d, ok
	}
	for _, a := range c.Call.Args {
		if made, d, ok := p.timeoutHandler(a, depth+1); ok {
			return made, d, true
		}
	}
	return nil, 0, false
}
