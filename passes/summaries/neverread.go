package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// A deadline that is put into an item and that nobody ever reads was meant for the worker who takes it out. Then it need not be known
// that the work takes long: it is enough that it can fail.

// neverRead reports whether the package fills in what says until when an item is of use, and nobody reads it: nothing in the package, and
// no other package can, since the fields are unexported.
func (r *Result) neverRead(it item) bool {
	look := &look{r: r, limit: it.limit, seen: make(map[*ssa.Function]bool), strict: true}
	for _, f := range it.limit {
		if f.Exported() || !r.fills(f) {
			return false
		}
	}
	for _, fn := range r.ir.Funcs {
		if !r.ir.InTest(fn) && look.reads(fn) {
			return false
		}
	}
	return true
}

// fills reports whether something is stored to a field.
func (r *Result) fills(f *types.Var) bool {
	for _, fn := range r.ir.Funcs {
		if r.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && contexts.FieldOf(fa) == f {
				return true
			}
		}
	}
	return false
}

// perhapsWorks names what a call runs on an item when that can fail and cannot be told: the method of an interface, a function value, be it
// in a function of this package that is given the item or a part of it. "" for anything else, of which it is known whether it waits.
func (r *Result) perhapsWorks(c ssa.CallInstruction, it ssa.Value, depth int) string {
	common := c.Common()
	targets, all := r.ctx.Targets(common)
	switch {
	case all && len(targets) == 1 && targets[0].Fn != nil:
		return r.perhapsWorksIn(targets[0], common, it, depth)
	case !typeset.ReturnsError(common.Signature()):
		return "" // tells a logger, counts
	case common.IsInvoke():
		return contexts.DisplayName(common.Method)
	case all && len(targets) > 0:
		return ""
	}
	return valueName(common.Value)
}

// perhapsWorksIn is the same of what a function of this package does with what it is given of an item, or has captured.
func (r *Result) perhapsWorksIn(t contexts.Target, c *ssa.CallCommon, it ssa.Value, depth int) string {
	if r.sums[t.Fn] == nil || depth > maxHelpers {
		return ""
	}
	var given []ssa.Value
	for i, a := range t.Args {
		if i < len(t.Fn.Params) && a != nil && r.comesFrom(a, it) {
			given = append(given, t.Fn.Params[i])
		}
	}
	if made, ok := c.Value.(*ssa.MakeClosure); ok {
		for i, b := range made.Bindings {
			if r.comesFrom(b, it) {
				given = append(given, t.Fn.FreeVars[i])
			}
		}
	}
	for inner := range ssawalk.Calls(t.Fn) {
		for _, v := range given {
			if !r.concerns(inner, v) {
				continue
			}
			if name := r.perhapsWorks(inner, v, depth+1); name != "" {
				return name
			}
		}
	}
	return ""
}
