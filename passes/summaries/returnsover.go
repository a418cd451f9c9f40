package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// A function of the package that goes on until its context is done has ended it for those who call it: each way to a return leads past
// an end. So does one that gives no error for anything else, where it has given none.

// exits are the ways out of a function: all its returns, or those that may give no error.
type exits struct {
	fn      *ssa.Function
	noError bool
}

// overAfter returns the context that is over when a call returns, or when it returns no error: its argument, or what the called literal has
// captured. Nil when there is none.
func (r *Result) overAfter(call *ssa.Call, noError bool) ssa.Value {
	fn := call.Call.StaticCallee()
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn == nil || r.sums[fn] == nil {
		return nil // not in sight
	}
	ctx := r.overOutside(exits{fn, noError})
	p, given := ctx.(*ssa.Parameter)
	if !given || p.Parent() != fn {
		return ctx // of a function around it
	}
	if i := paramIndex(fn, p); i >= 0 && i < len(call.Call.Args) {
		return call.Call.Args[i]
	}
	return nil
}

// overAfterNil returns the context that is over where an error is nil: what it comes from returns none for anything else.
func (r *Result) overAfterNil(err ssa.Value) ssa.Value {
	if call := failing(err); call != nil {
		return r.overAfter(call, true)
	}
	return nil
}

// overOutside returns the context of those who call a function, its parameter or a captured one, that is over at each such return, or nil.
// A function is asked once; one that is asked while it is being answered for, since it calls itself, proves nothing.
func (r *Result) overOutside(o exits) ssa.Value {
	if ctx, ok := r.over[o]; ok {
		return ctx
	}
	r.over[o] = nil
	if catchesPanics(o.fn) || !o.returns() {
		return nil // what has panicked has returned too; what never returns has nothing behind it
	}
	gone := r.goneIn(o.fn)
	for _, g := range gone {
		if !o.escapes(o.fn.Blocks[0], g.ctx, gone, make(map[*ssa.BasicBlock]bool)) {
			r.over[o] = g.ctx
			return g.ctx
		}
	}
	return nil
}

// gone is a place at which a context from outside a function has ended: in a block, or on the way from it to the next.
type gone struct {
	ctx      ssa.Value
	from, to *ssa.BasicBlock // to is nil when it is in the block
}

// goneIn returns the places in fn at which a context from outside it has ended. One that is made in it may end earlier than what it is made
// from.
func (r *Result) goneIn(fn *ssa.Function) []gone {
	var out []gone
	add := func(ctx ssa.Value, from, to *ssa.BasicBlock) {
		if ctx == nil {
			return
		}
		ctx = r.held(ctx)
		if _, param := ctx.(*ssa.Parameter); (param || ctx.Parent() != fn) && typeset.IsContext(ctx.Type()) {
			out = append(out, gone{ctx, from, to})
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			add(r.endedBy(in), b, nil)
		}
		for _, s := range b.Succs {
			add(r.overOn(b, s), b, s)
		}
	}
	return out
}

// returns reports whether there is such a return at all.
func (o exits) returns() bool {
	for _, b := range o.fn.Blocks {
		if b != o.fn.Recover && o.returnsIn(b) {
			return true
		}
	}
	return false
}

// escapes reports whether a way from a block leads to such a return and past no place at which the context is gone.
func (o exits) escapes(b *ssa.BasicBlock, ctx ssa.Value, all []gone, seen map[*ssa.BasicBlock]bool) bool {
	seen[b] = true
	if slices.Contains(all, gone{ctx, b, nil}) {
		return false // there is no way out of the middle of a block
	}
	if o.returnsIn(b) {
		return true
	}
	for _, s := range b.Succs {
		if !seen[s] && !slices.Contains(all, gone{ctx, b, s}) && o.escapes(s, ctx, all, seen) {
			return true
		}
	}
	return false
}

// returnsIn reports whether a block ends in a return of that kind. An error that is made on the spot, or has been found not to be nil, is
// one; any other may be none.
func (o exits) returnsIn(b *ssa.BasicBlock) bool {
	ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	if !ok || !o.noError {
		return ok
	}
	return !surelyError(ret.Results[len(ret.Results)-1], b)
}

// surelyError reports whether an error that is returned in a block is certainly not nil.
func surelyError(err ssa.Value, b *ssa.BasicBlock) bool {
	switch x := err.(type) {
	case *ssa.Call:
		if calledIs(x, "errors.New") || calledIs(x, "fmt.Errorf") {
			return true
		}
	case *ssa.MakeInterface:
		return true
	}
	for at := b; at.Idom() != nil; at = at.Idom() {
		if len(at.Preds) == 1 && failedOn(at.Preds[0], at) == err {
			return true
		}
	}
	return false
}

// failedOn returns the error that is not nil where one block goes on to another, or nil.
func failedOn(from, to *ssa.BasicBlock) ssa.Value {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || !onFailure(from, to) {
		return nil
	}
	cond, _ := loops.Plain(branch.Cond, true)
	err, _ := loops.NilTest(cond)
	return err
}

// catchesPanics reports whether a function defers what recovers.
func catchesPanics(fn *ssa.Function) bool {
	for c := range ssawalk.Calls(fn) {
		d, ok := c.(*ssa.Defer)
		if !ok {
			continue
		}
		deferred, _ := ssawalk.Function(d.Call.Value)
		if deferred == nil {
			continue
		}
		for in := range ssawalk.Instrs(deferred) {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "recover" {
				return true
			}
		}
	}
	return false
}
