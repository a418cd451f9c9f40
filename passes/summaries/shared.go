package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// What is loaded where a flag says that it is not there yet, and then kept for all who come later, is nobody's in particular: whoever comes
// first loads it for the others, and who ended it with his own context would have them all begin again.
//
//	if force || !loaded {
//		table = query(context.Background())
//		loaded = true
//	}

const onceDo = "(*sync.Once).Do"

// loadsOnce reports whether a wait below a call is for such a thing: here, or by what the call gives for the parameters of what it calls.
func (r *Result) loadsOnce(c ssa.CallInstruction, e effect) bool {
	if e.Shared || calledIs(c, onceDo) || runsOnce(c.Parent()) || r.guarded(c, contexts.Target{}) {
		return true
	}
	targets, _ := r.ctx.Targets(c.Common())
	if len(targets) != 1 || targets[0].Fn == nil || len(e.Path) == 0 {
		return false // it waits itself, or out of sight
	}
	w := e.Wait
	w.Path = w.Path[1:] // as what is called has it
	at := r.stepOf(targets[0].Fn, w)
	if at == nil && w.In == targets[0].Fn {
		if root := r.callAt(w.In, w.Src); root != nil {
			at = root // the wait is there itself
		}
	}
	return at != nil && r.guarded(at, targets[0])
}

// runsOnce reports whether a function is a literal that a sync.Once runs.
func runsOnce(fn *ssa.Function) bool {
	return fn.Parent() != nil && slices.ContainsFunc(closures(fn), func(made ssa.Value) bool { return givenTo(made, onceDo) })
}

// guarded reports whether an instruction is reached only where a flag is not set, which is set then. Of what a call gives for parameters,
// constants are known.
func (r *Result) guarded(at ssa.Instruction, t contexts.Target) bool {
	for b := at.Block(); b != nil; b = b.Idom() {
		if f := r.unsetOn(b, t); f.at != nil && r.setBy(at, f) {
			return true
		}
	}
	return false
}

// flag is a variable of the package or a field that says whether something is there.
type flag struct {
	at   any
	open bool // it is true while that is not there: at the start, or when it is stale
}

// unsetOn returns the flag that is not set on all ways to a block that are left, or none.
func (r *Result) unsetOn(b *ssa.BasicBlock, t contexts.Target) flag {
	var out flag
	for _, pred := range b.Preds {
		branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
		if !ok {
			return flag{}
		}
		cond, taken := loops.Plain(branch.Cond, pred.Succs[0] == b)
		if t.Fn != nil {
			if yes, known := decided(cond, t); known && yes != taken {
				continue // this call does not come that way
			}
		}
		f := flag{r.unset(cond, taken), taken && !isComparison(cond)}
		if f.at == nil || out.at != nil && f != out {
			return flag{}
		}
		out = f
	}
	return out
}

func isComparison(cond ssa.Value) bool {
	_, ok := cond.(*ssa.BinOp)
	return ok
}

// unset returns the flag by which a branch finds that something is not there, or nil: a variable of the package or a field, also where a
// function asks for it, or a variable of the package that is nil. A field that is nil may be that of one request.
func (r *Result) unset(cond ssa.Value, taken bool) any {
	switch x := cond.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return flagAt(x.X)
		}
	case *ssa.BinOp:
		load, ok := x.X.(*ssa.UnOp)
		if !ok || !ssawalk.IsNil(x.Y) || x.Op != token.EQL && x.Op != token.NEQ || (x.Op == token.EQL) != taken {
			return nil
		}
		if g, ok := load.X.(*ssa.Global); ok {
			return g
		}
	case *ssa.Call:
		fn := x.Call.StaticCallee()
		if fn == nil || r.sums[fn] == nil {
			return nil
		}
		return asked(fn)
	}
	return nil
}

// asked returns the flag that a function returns and nothing else, or nil.
func asked(fn *ssa.Function) any {
	var out any
	for ret := range ssawalk.Returns(fn) {
		if len(ret.Results) != 1 {
			return nil
		}
		load, ok := ssawalk.Source(ret.Results[0]).(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return nil
		}
		f := flagAt(load.X)
		if f == nil || out != nil && f != out {
			return nil
		}
		out = f
	}
	return out
}

// flagAt returns the variable of the package, or the field, at an address, or nil.
func flagAt(addr ssa.Value) any {
	switch a := addr.(type) {
	case *ssa.Global:
		return a
	case *ssa.FieldAddr:
		return contexts.FieldOf(a)
	}
	return nil
}

// maxSetters is through how many calls it is looked for who sets a flag.
const maxSetters = 2

// setBy reports whether a flag is set by the function of an instruction, or by what that calls.
func (r *Result) setBy(at ssa.Instruction, f flag) bool {
	if sets(at.Parent(), f) {
		return true
	}
	c, ok := at.(ssa.CallInstruction)
	return ok && r.setBelow(c, f, 0)
}

func (r *Result) setBelow(c ssa.CallInstruction, f flag, depth int) bool {
	fn := c.Common().StaticCallee()
	if fn == nil || r.sums[fn] == nil || depth >= maxSetters {
		return false
	}
	if sets(fn, f) {
		return true
	}
	for inner := range ssawalk.Calls(fn) {
		if r.setBelow(inner, f, depth+1) {
			return true
		}
	}
	return false
}

// sets reports whether a function stores to a flag that something is there.
func sets(fn *ssa.Function, f flag) bool {
	for in := range ssawalk.Instrs(fn) {
		st, ok := in.(*ssa.Store)
		if ok && flagAt(st.Addr) == f.at && isFalse(st.Val) == f.open && !ssawalk.IsNil(st.Val) {
			return true
		}
	}
	return false
}
