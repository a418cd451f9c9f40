package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/words"
	"github.com/doneby/doneby/passes/contexts"
)

// alive returns those of the carriers in reach of fn that something may end, and that are those of its calls.
func (r *Result) alive(fn *ssa.Function, all []contexts.Carrier) []contexts.Carrier {
	var out []contexts.Carrier
	for _, c := range all {
		switch {
		case c.Field == nil && c.Param != nil && r.rootOnly(c.Param):
			continue // there is nothing to inherit
		case c.Param != nil && keptAway(fn, c.Param):
			continue // the context of who made the function, not of who calls it
		}
		out = append(out, c)
	}
	return out
}

// keptAway reports whether a function literal that does not use a carrier of the function around it is kept in a field, an element or an
// interface there, to be called when that function has long returned.
func keptAway(fn *ssa.Function, p *ssa.Parameter) bool {
	for f := fn; f != nil && f != p.Parent(); f = f.Parent() {
		if f.Parent() == nil {
			return false
		}
		if isKept(f) && !captures(f, p) {
			return true
		}
	}
	return false
}

// queues are the first words of methods that take a function to be run later: pool.Submit(key, func() { … }).
var queues = map[string]bool{"submit": true, "enqueue": true, "schedule": true, "queue": true}

func firstWord(name string) string {
	if said := words.Of(name); len(said) > 0 {
		return said[0]
	}
	return ""
}

// isKept reports whether a literal is stored in a field, an element or a package variable, becomes an interface, or is queued.
func isKept(lit *ssa.Function) bool {
	for in := range ssawalk.Instrs(lit.Parent()) {
		switch in := in.(type) {
		case *ssa.Store:
			if isLiteral(in.Val, lit) {
				switch in.Addr.(type) {
				case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
					return true
				}
			}
		case *ssa.MakeInterface:
			if isLiteral(in.X, lit) {
				return true
			}
		case *ssa.MapUpdate:
			if isLiteral(in.Value, lit) {
				return true
			}
		case *ssa.Call:
			if queues[firstWord(calleeName(in))] && slices.ContainsFunc(in.Call.Args, func(a ssa.Value) bool { return isLiteral(a, lit) }) {
				return true
			}
		}
	}
	return false
}

func isLiteral(v ssa.Value, lit *ssa.Function) bool {
	fn, _ := ssawalk.Function(ssawalk.Strip(v))
	return fn == lit
}

// captures reports whether a literal, or one in it, uses a parameter of a function around it.
func captures(lit *ssa.Function, p *ssa.Parameter) bool {
	for _, fv := range lit.FreeVars {
		if fv.Name() == p.Name() {
			return true
		}
	}
	return false
}
