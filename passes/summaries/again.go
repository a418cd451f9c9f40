package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// judgeAgain judges a loop in which an attempt under the context in reach fails and the next begins, and nothing on the way round asks
// why, counts or asks the clock: when the context is over, it turns for ever.
func (r *Result) judgeAgain(c *court, fn *ssa.Function, l *loops.Loop) {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || r.loops.Around(call) != l {
				continue // belongs to an inner loop
			}
			rule, kind := r.attempt(fn, l, call)
			if rule == "" {
				continue
			}
			reach := r.mayInherit(fn, call, l)
			if len(reach) == 0 {
				continue
			}
			pos, end := r.loopPos(l)
			if rule == "deafctx" || !l.LeavesOnSuccess() {
				pos, end = call.Call.Pos(), token.NoPos
			}
			w := Wait{Name: r.nameOf(call), Src: pos, In: fn}
			v := r.verdict(rule, kind, w, loopName(l), reach)
			v.End = end
			c.add(v)
			return // one a loop
		}
	}
}

// attempt says which rule names what becomes of a call's failure when the context in reach is over: "" when the loop ends, or
// nobody can tell.
func (r *Result) attempt(fn *ssa.Function, l *loops.Loop, call *ssa.Call) (rule, kind string) {
	if !r.underReach(fn, call) {
		return "", ""
	}
	w := &way{r: r, l: l, call: call, err: errorOf(call), seen: make(map[*ssa.BasicBlock]bool)}
	swallows := !typeset.ReturnsError(call.Call.Signature())
	passes := w.passes()
	switch {
	case swallows && (!r.swallows(call, l) || takesIn(passes, call)):
		return "", "" // it may say in another way that it has failed; what the loop takes ends it
	case !w.round():
		return "", "" // something on the way asks, waits or may know better
	case l.Ends() && !l.Stands(passes):
		return "", "" // it ends by itself, and soon, since each attempt fails at once
	case swallows:
		return "deafctx", "swallow"
	case l.LeavesOnSuccess(), source(l, call, passes):
		return "blindretry", "again"
	}
	return "", "" // it handles what something else in the loop takes
}

// underReach reports whether a call waits on the context in reach, and on nothing else.
func (r *Result) underReach(fn *ssa.Function, call *ssa.Call) bool {
	waits := false
	for _, e := range r.effects(fn, call) {
		if e.Pause || e.Meant && !e.Known {
			continue
		}
		if e.End != ByParam || !e.set.Inherited() {
			return false
		}
		for _, o := range e.set {
			if o.Bound.Own {
				return false // an attempt that fails for its own timeout is worth another
			}
		}
		waits = true
	}
	return waits
}

// errorOf returns the error that a call returns, nil when nobody looks at it.
func errorOf(call *ssa.Call) ssa.Value {
	res := call.Call.Signature().Results()
	if res.Len() == 0 || !typeset.ReturnsError(call.Call.Signature()) {
		return nil
	}
	if res.Len() == 1 {
		return call
	}
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == res.Len()-1 {
			return x
		}
	}
	return nil
}

// source reports whether a call is what the loop's rounds begin with: what it is given does not come from the round, or is what it was
// given in the round that failed, and nothing else on the way takes or reads anything.
func source(l *loops.Loop, call *ssa.Call, passes []*ssa.BasicBlock) bool {
	for _, a := range call.Call.Args {
		if !plainLoad(a) && !l.Fixed(a, passes) {
			return false
		}
	}
	return !takesIn(passes, call)
}

// takesIn reports whether something else in some blocks than a call takes or reads anything.
func takesIn(blocks []*ssa.BasicBlock, call *ssa.Call) bool {
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if other, ok := in.(*ssa.Call); ok && other != call && takes(calleeName(other)) {
				return true
			}
		}
	}
	return false
}

// plainLoad reports whether v only reads a variable or field, or wraps such a value.
func plainLoad(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL
	case *ssa.FieldAddr, *ssa.Field, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
		return true
	}
	return false
}

// takes reports whether a function's name says that it takes the next thing.
func takes(name string) bool {
	for _, w := range [...]string{"accept", "read", "recv", "receive", "scan", "next", "take", "pop", "dequeue", "wait", "fetch", "poll", "get", "lock"} {
		if beginsWith(name, w) {
			return true
		}
	}
	return false
}

// swallows reports whether a call without an error runs a function of this package that returns, when what it waits for
// fails, without a trace: the loop cannot tell.
func (r *Result) swallows(call *ssa.Call, l *loops.Loop) bool {
	if call.Call.Signature().Results().Len() > 0 {
		return false
	}
	fn := call.Call.StaticCallee()
	if fn == nil || r.sums[fn] == nil {
		return false
	}
	found := false
	for _, b := range fn.Blocks {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		err, whenNil := loops.NilTest(in.Cond)
		if err == nil || !typeset.IsError(err.Type()) {
			continue
		}
		failed := b.Succs[0]
		if whenNil {
			failed = b.Succs[1]
		}
		if !r.traceless(failed) {
			return false
		}
		found = true
	}
	return found
}

// traceless reports whether a block only logs and returns.
func (r *Result) traceless(b *ssa.BasicBlock) bool {
	for range 4 {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if _, local := in.Addr.(*ssa.IndexAddr); !local {
					return false
				}
			case *ssa.Call:
				if in.Call.Signature().Results().Len() > 0 {
					if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin && !isText(in) {
						return false
					}
				}
			case *ssa.Send, *ssa.MapUpdate, *ssa.If, *ssa.Panic, *ssa.Select, *ssa.Go:
				return false
			case *ssa.Return:
				return true
			}
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// isText reports whether a call only makes something to print: an error's text, a logger, an attribute.
func isText(c *ssa.Call) bool {
	t := c.Call.Signature().Results().At(0).Type()
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsString != 0
	}
	n := typeset.Named(t)
	return n != nil && n.Obj().Pkg() != nil && (n.Obj().Name() == "Logger" || n.Obj().Name() == "Attr" || n.Obj().Name() == "Entry" || n.Obj().Name() == "Field" || n.Obj().Name() == "Event")
}

func (r *Result) nameOf(call *ssa.Call) string {
	targets, _ := r.ctx.Targets(&call.Call)
	if len(targets) == 1 && targets[0].Obj != nil {
		return contexts.DisplayName(targets[0].Obj)
	}
	return unnamed
}
