package rewrites

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// madeStays reports whether what a call will have made with the context does not outlive this call: a handle that is to be
// bound to it (a command, a request), or what it opens.
func (f *flow) madeStays(c *ssa.Call) bool {
	if row, ok := f.row(ssawalk.Callee(c)); ok && row.Verb == knowledge.Binds {
		return f.stays(c)
	}
	return f.resultStays(c)
}

// resultStays reports whether what a call under the context returns does not outlive it: a context is followed, and what is
// open (rows, a stream, a transaction, a channel) is not put where others find it. What is returned is the caller's.
func (f *flow) resultStays(c *ssa.Call) bool {
	if _, ok := c.Type().(*types.Tuple); !ok {
		return f.openStays(c)
	}
	for _, ref := range *c.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && !f.openStays(x) {
			return false
		}
	}
	return true
}

func (f *flow) openStays(v ssa.Value) bool {
	switch {
	case typeset.IsContext(v.Type()):
		return f.stays(v)
	case isOpen(v.Type()):
		return !f.kept(v, make(map[ssa.Value]bool))
	}
	return true
}

// isOpen reports whether values of a type are something open, which waits or ends with the context it was opened under.
func isOpen(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	for _, name := range [...]string{"Close", "CloseSend", "Stop", "Recv", "Next", "Commit", "Shutdown"} {
		if typeset.Method(t, name) != nil {
			return true
		}
	}
	return false
}

// kept reports whether a value is stored in something, sent, or given to a goroutine.
func (f *flow) kept(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == v {
				continue
			}
			if a, ok := ref.Addr.(*ssa.Alloc); !ok || f.kept(a, seen) {
				return true
			}
		case *ssa.MakeClosure:
			if !f.closureAtOnce(ref) && !isDeferred(ref) {
				return true
			}
		case *ssa.Go, *ssa.Send, *ssa.MapUpdate:
			return true
		case *ssa.Phi, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.ChangeType, *ssa.UnOp, *ssa.TypeAssert:
			if f.kept(ref.(ssa.Value), seen) {
				return true
			}
		}
	}
	return false
}

func isDeferred(mc *ssa.MakeClosure) bool {
	for _, ref := range *mc.Referrers() {
		if d, ok := ref.(*ssa.Defer); !ok || d.Call.Value != mc {
			return false
		}
	}
	return true
}

// calledAtOnce reports whether a literal is only called where it stands, or given to a function that the tables say calls it
// before it returns, for this caller alone.
func (f *flow) calledAtOnce(lit *ssa.Function) bool {
	if lit.Parent() == nil {
		return false
	}
	if isLoopBody(lit) {
		return true
	}
	found := false
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			if mc, ok := in.(*ssa.MakeClosure); ok && mc.Fn == lit {
				found = true
				if !f.closureAtOnce(mc) {
					return false
				}
			}
		}
	}
	return found || f.usedAtOnce(lit, lit.Referrers())
}

func (f *flow) closureAtOnce(mc *ssa.MakeClosure) bool {
	return isLoopBody(mc.Fn.(*ssa.Function)) || f.usedAtOnce(mc, mc.Referrers())
}

// isLoopBody reports whether a function is the body of a range over a function, which SSA makes a literal of.
func isLoopBody(fn *ssa.Function) bool {
	_, ok := fn.Syntax().(*ast.RangeStmt)
	return ok
}

func (f *flow) usedAtOnce(fn ssa.Value, refs *[]ssa.Instruction) bool {
	if refs == nil || len(*refs) == 0 {
		return false
	}
	for _, ref := range *refs {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			if !f.usedAtOnce(ref, ref.Referrers()) {
				return false
			}
		case *ssa.Call:
			if ref.Call.Value != fn && !f.callsArgument(ref) {
				return false
			}
		default:
			return false // deferred, started, stored, returned
		}
	}
	return true
}

// callsArgument reports whether a call runs the function that it is given before it returns, or starts it and something here
// waits for it.
func (f *flow) callsArgument(c *ssa.Call) bool {
	row, ok := f.row(ssawalk.Callee(c))
	switch {
	case !ok || row.Once:
		return false // for all callers together: none of them may end it
	case row.Verb == knowledge.Calls:
		return true
	case row.Verb == knowledge.Spawns && row.Joined != "":
		return callsNamed(c.Parent(), row.Joined)
	}
	return false
}

func callsNamed(fn *ssa.Function, name string) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && ssawalk.CalleeName(c) == name {
				return true
			}
		}
	}
	return false
}
