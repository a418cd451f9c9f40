package summaries

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// wayOut looks for the end of a goroutine.
type wayOut struct {
	r     *Result
	body  *ssa.Function
	start *ssa.Go
	life  *life  // what ends it, the first in the order of the blocks
	text  string // the same, as a reader would type it
}

// life is something that ends when a component does, seen from the function that starts the goroutine.
type life struct {
	root  ssa.Value // the parameter or package variable that has it, or that it is
	whole bool      // root itself is the context, not what has it in a field
	made  bool      // every store in sight makes it for the component
}

// only reports whether control can return from the goroutine only by blocks behind the end of a life.
func (w *wayOut) only() bool {
	past := make(map[*ssa.BasicBlock]bool)
	for _, b := range w.body.Blocks {
		w.note(b, past)
	}
	if len(past) == 0 {
		return false
	}
	seen := make(map[*ssa.BasicBlock]bool)
	reached := false
	var returns func(b *ssa.BasicBlock) bool
	returns = func(b *ssa.BasicBlock) bool {
		if past[b] {
			reached = true
			return false
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return true
		}
		return slices.ContainsFunc(b.Succs, returns)
	}
	return !returns(w.body.Blocks[0]) && reached
}

// note marks the blocks that are left, or entered, only when a life is over: those with a receive from its end, and the cases of a select
// and the branches of a test that say so.
func (w *wayOut) note(b *ssa.BasicBlock, past map[*ssa.BasicBlock]bool) {
	for _, in := range b.Instrs {
		if u, ok := in.(*ssa.UnOp); ok && u.Op == token.ARROW && w.ends(u.X) {
			past[b] = true
		}
	}
	in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return
	}
	bin, ok := in.Cond.(*ssa.BinOp)
	if !ok {
		return
	}
	over := b.Succs[0]
	if x, ok := bin.X.(*ssa.Extract); ok && x.Index == 0 && bin.Op == token.EQL {
		if sel, ok := x.Tuple.(*ssa.Select); ok {
			if c, ok := bin.Y.(*ssa.Const); ok && w.endsCase(sel, int(c.Int64())) && len(over.Preds) == 1 {
				past[over] = true
			}
		}
		return
	}
	if bin.Op == token.EQL {
		over = b.Succs[1]
	}
	if asked, ok := bin.X.(*ssa.Call); ok && isErrCall(asked) && asked.Call.IsInvoke() && len(over.Preds) == 1 && w.lives(asked.Call.Value, ".Err()") {
		past[over] = true
	}
}

func (w *wayOut) endsCase(sel *ssa.Select, i int) bool {
	return i >= 0 && i < len(sel.States) && sel.States[i].Dir == types.RecvOnly && w.ends(sel.States[i].Chan)
}

// ends reports whether a channel says that a life is over: the Done of its context, or a channel that a component closes when it ends.
func (w *wayOut) ends(v ssa.Value) bool {
	if c, ok := ssawalk.Source(v).(*ssa.Call); ok {
		return c.Call.IsInvoke() && isDone(c) && typeset.IsContext(c.Call.Value.Type()) && w.lives(c.Call.Value, ".Done()")
	}
	if !typeset.IsSignalChan(v.Type()) || !w.r.deaf.closedAtEnd(v, w.body) {
		return false
	}
	l := w.trace(v)
	return l != nil && !l.whole && w.keep(life{root: l.root, made: true}, v, "")
}

// lives reports whether a context is a component's own, or one that it was handed when it was made.
func (w *wayOut) lives(ctx ssa.Value, ask string) bool {
	l := w.trace(ctx)
	if l == nil {
		return false // made for this call, or kept in what was
	}
	origins := w.r.ctx.Origins(w.argument(ctx))
	if len(origins) == 0 {
		return false
	}
	made := true
	for _, o := range origins {
		switch {
		case o.Bound.Own:
			return false // it has an end of its own
		case o.Kind == contexts.Lifetime && (o.In == nil || !within(o.In, w.scope())):
		case o.Kind == contexts.Handed && !l.whole, o.Kind == contexts.Param && l.whole:
			made = false
		default:
			return false
		}
	}
	return w.keep(life{root: l.root, whole: l.whole, made: made}, ctx, ask)
}

func (w *wayOut) keep(l life, v ssa.Value, ask string) bool {
	if w.life == nil {
		w.life, w.text = &l, pathText(v)+ask
	} else if w.life.root != l.root {
		w.life.made = false
	}
	return true
}

// argument returns what the go statement gives for a parameter of the goroutine, or the value itself.
func (w *wayOut) argument(v ssa.Value) ssa.Value {
	if p, ok := ssawalk.Source(v).(*ssa.Parameter); ok && p.Parent() == w.body {
		for i, q := range w.body.Params {
			if p == q && i < len(w.start.Call.Args) {
				return w.start.Call.Args[i]
			}
		}
	}
	return v
}

// trace follows a value to the parameter of the starting function, or the variable of the package or around it, that has it in a field or
// that it is.
func (w *wayOut) trace(v ssa.Value) *life {
	l := &life{whole: true}
	for range maxFields {
		v = ssawalk.Source(w.argument(ssawalk.Source(v)))
		switch x := v.(type) {
		case *ssa.Parameter:
			l.root = x
			if x.Parent() != w.start.Parent() && within(x.Parent(), w.scope()) {
				return nil // of a function around, whose call may be the one that made it
			}
			return l
		case *ssa.Global:
			l.root = x
			return l
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		case *ssa.FieldAddr:
			v, l.whole = x.X, false
		case *ssa.Field:
			v, l.whole = x.X, false
		default:
			if in, ok := v.(ssa.Instruction); ok && !within(in.Parent(), w.scope()) {
				l.root, l.whole = v, false // a variable around a handler
				return l
			}
			return nil
		}
	}
	return nil
}

// scope is the function whose call starts the goroutine: a handler that is a literal, or else the declared function. What a handler
// has from the function around it is older than the request.
func (w *wayOut) scope() *ssa.Function {
	if fn := w.start.Parent(); w.r.entries.Answered(fn) != nil {
		return fn
	}
	return ssawalk.Outermost(w.start.Parent())
}

// within reports whether fn is written in another function, or is it.
func within(fn, in *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == in {
			return true
		}
	}
	return false
}

// maxFields bounds a walk from field to field.
const maxFields = 12

// closedAtEnd reports whether a channel of fn is a component's, made elsewhere, and only ever closed, by what ends something.
func (d *deaf) closedAtEnd(v ssa.Value, fn *ssa.Function) bool {
	for _, c := range d.ops.Chans(fn) {
		for _, o := range c.Ops {
			if o.Fn != fn || o.On != v {
				continue
			}
			return c.Kept && !c.Open && !c.Has(channels.Send) && d.onlyClosedAtEnd(c)
		}
	}
	return false
}

func (d *deaf) onlyClosedAtEnd(c *channels.Chan) bool {
	closed := false
	for _, o := range c.Ops {
		if o.Kind == channels.Close {
			if !d.r.flow.cleanupFunc(o.Fn) {
				return false
			}
			closed = true
		}
	}
	return closed
}

// pathText is a parameter, variable or field as the source names it.
func pathText(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		return pathText(v.X)
	case *ssa.FieldAddr:
		field, _ := ssawalk.Field(v)
		return pathText(v.X) + "." + field.Name()
	case *ssa.Field:
		field, _ := ssawalk.Field(v)
		return pathText(v.X) + "." + field.Name()
	case *ssa.ChangeType:
		return pathText(v.X)
	}
	return v.Name()
}
