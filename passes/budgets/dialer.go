package budgets

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/durations"
)

// clientTimeout compares a client's timeout with that of the dialer that its transport is given. The default transport's own
// dialer is nobody's choice.
func (p *program) clientTimeout(st *ssa.Store) (Misfit, bool) {
	limit, ok := p.lengths.Usual(st.Val)
	if !ok || limit <= 0 {
		return Misfit{}, false
	}
	transport := stored(st.Addr.(*ssa.FieldAddr).X, "Transport")
	if transport == nil {
		return Misfit{}, false
	}
	made := p.origin(transport)
	dial := stored(made, "DialContext")
	if dial == nil {
		dial = stored(made, "Dial")
	}
	if dial == nil {
		return Misfit{}, false
	}
	timeout := p.dialTimeout(dial)
	length, ok := p.lengths.Usual(timeout)
	if !ok || length < limit || sameSetting(timeout, st.Val) {
		return Misfit{}, false
	}
	return Misfit{Kind: "dialer", At: st.Pos(), Limit: limit, Total: length, Name: "http.Client", Parts: []Part{
		{Pos: dial.Pos(), Text: "the dialer takes up to " + durations.Text(length)},
	}}, true
}

// origin is behind that goes on to what an own function makes, when only this call asks for it: what several clients share has the
// longest timeout of them.
func (p *program) origin(v ssa.Value) ssa.Value {
	for range maxWrappers {
		v = p.ctx.Behind(v)
		c, ok := v.(*ssa.Call)
		if !ok {
			return v
		}
		fn := ssawalk.Resolve(c).Fn
		if fn == nil || c.Call.Signature().Results().Len() != 1 || !p.calledOnce(fn) {
			return v
		}
		var made ssa.Value
		for ret := range ssawalk.Returns(fn) {
			if x := p.ctx.Behind(ret.Results[0]); made == nil || x == made {
				made = x
			} else {
				return v
			}
		}
		if made == nil {
			return v
		}
		v = made
	}
	return v
}

// calledOnce reports whether one call in the package, and none elsewhere, runs a function.
func (p *program) calledOnce(fn *ssa.Function) bool {
	if obj := fn.Object(); obj == nil || obj.Exported() || len(fn.Blocks) == 0 {
		return false
	}
	n := 0
	for _, caller := range p.code.Funcs {
		if p.code.InTest(caller) {
			continue
		}
		for c := range ssawalk.Calls(caller) {
			if ssawalk.Resolve(c).Fn == fn {
				n++
			}
		}
	}
	return n == 1
}

// dialTimeout returns the timeout of the dialer behind a dial function: its method, or a literal that calls that. Nil when there is none.
func (p *program) dialTimeout(dial ssa.Value) ssa.Value {
	fn, dialer := ssawalk.Function(dial)
	if dialer == nil && fn != nil {
		for c := range ssawalk.Calls(fn) {
			s := ssawalk.Resolve(c)
			if s.Recv != nil && (s.Name() == "(*net.Dialer).DialContext" || s.Name() == "(*net.Dialer).Dial") {
				dialer = s.Recv
				break
			}
		}
	}
	if dialer == nil || !typeset.Is(typeset.Deref(dialer.Type()), "net", "Dialer") {
		return nil
	}
	return stored(p.origin(dialer), "Timeout")
}

// sameSetting reports whether two values are one field of a configuration: whoever sets it gives both as long, on purpose.
func sameSetting(a, b ssa.Value) bool {
	x, y := settingOf(a), settingOf(b)
	return x != nil && x == y
}

func settingOf(v ssa.Value) *types.Var {
	f, _ := ssawalk.Field(ssawalk.Source(v))
	return f
}
