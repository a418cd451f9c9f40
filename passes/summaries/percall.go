package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/internal/words"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// judgePerCall judges a goroutine that each call, or each round of a loop, starts anew, and of which every way out leads past the end of
// something that lives on: there are ever more of them, until it ends.
func (r *Result) judgePerCall(c *court, fn *ssa.Function, start *ssa.Go) {
	body, _ := ssawalk.Function(start.Call.Value)
	if body == nil || len(body.Blocks) == 0 || r.flow.joined(fn, start) {
		return // of another package, or not to be told; somebody waits for it
	}
	if r.flow.cleanupFunc(fn) || r.flow.afterDone(start) {
		return // part of ending something: there are no more calls
	}
	way := &wayOut{r: r, body: body, start: start}
	if !way.only() || way.life == nil {
		return // it has another end, or none
	}
	how := r.startedOften(way.life, fn, start)
	if how == "" {
		return // one for the component, as far as can be told
	}
	v := r.verdict("orphan", "lifetime", Wait{Name: way.text, Src: start.Pos(), In: fn}, how, nil)
	r.addStart(c, v, fn, start)
}

// startedOften returns "round" or "call" where a go statement is surely reached again and again while the life that ends its goroutine
// goes on; "" where that cannot be told.
func (r *Result) startedOften(l *life, fn *ssa.Function, in ssa.CallInstruction) string {
	if takesRounds(in) {
		return "round"
	}
	if l.whole || r.startedOnce(fn, in) {
		return "" // the call's own context; one for the component
	}
	if r.entries.Answered(fn) != nil || r.calledOften(l.root, fn, 0) {
		return "call"
	}
	if start, ok := in.(*ssa.Go); ok && l.made && toldUntilWhen(fn) && forItem(start) {
		return "call"
	}
	return ""
}

// forItem reports whether a goroutine is given something that its function was called with, beside the component, the context and what is
// to be called: it is there for that, and not for the component.
func forItem(start *ssa.Go) bool {
	given := slices.Clone(start.Call.Args)
	if mc, ok := start.Call.Value.(*ssa.MakeClosure); ok {
		given = append(given, mc.Bindings...)
	}
	for _, v := range given {
		if a, ok := v.(*ssa.Alloc); ok { // a captured variable, which a parameter becomes
			if st := ssawalk.Stores(a); len(st) > 0 {
				v = st[0].Val
			}
		}
		p, ok := ssawalk.Source(v).(*ssa.Parameter)
		if !ok || p.Parent() != start.Parent() || p.Parent().Signature.Recv() != nil && p == p.Parent().Params[0] {
			continue
		}
		if !typeset.IsContext(p.Type()) && !typeset.IsFunc(p.Type()) {
			return true
		}
	}
	return false
}

// takesRounds reports whether an instruction lies in a loop that takes what comes, one after the other: from a channel, a listener, a
// stream. A loop over what is there, or up to a number, starts so many and no more.
func takesRounds(in ssa.Instruction) bool {
	l := channels.LoopOf(in.Block())
	for ; l != nil; l = l.Outer() {
		if goesRound(l) {
			return true
		}
	}
	return false
}

// toldUntilWhen reports whether fn is told when its caller has had enough: it is called for something, and not for a component's life.
func toldUntilWhen(fn *ssa.Function) bool {
	i := typeset.ContextParam(fn.Signature)
	return i >= 0 && fn.Signature.Params().At(i).Name() != "_" && fn.Signature.Params().At(i).Name() != ""
}

// calledOften reports whether some call in sight of fn is made in a handler or again and again, on what has the life and is older than
// the call.
func (r *Result) calledOften(root ssa.Value, fn *ssa.Function, depth int) bool {
	if depth > maxHelpers {
		return false
	}
	p, _ := root.(*ssa.Parameter)
	for _, s := range r.callers[fn] {
		targets, _ := r.ctx.Targets(s.in.Common())
		for _, t := range targets {
			if t.Fn != fn {
				continue
			}
			from := root
			if p != nil {
				if from = ownerOf(argumentFor(t, p)); from == nil {
					continue // made there, perhaps for this call
				}
			}
			if r.startedOnce(s.fn, s.in) {
				continue
			}
			if takesRounds(s.in) || r.entries.Answered(s.fn) != nil || r.calledOften(from, s.fn, depth+1) {
				return true
			}
		}
	}
	return false
}

func argumentFor(t contexts.Target, p *ssa.Parameter) ssa.Value {
	for i, q := range t.Fn.Params {
		if p == q && i < len(t.Args) {
			return t.Args[i]
		}
	}
	return nil
}

// ownerOf follows fields to the parameter or the package variable that has a value, or nil.
func ownerOf(v ssa.Value) ssa.Value {
	for range maxFields {
		if v == nil {
			return nil
		}
		v = ssawalk.Source(v)
		switch x := v.(type) {
		case *ssa.Parameter, *ssa.Global:
			return x
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		default:
			return nil
		}
	}
	return nil
}

// onceWords begin the names of functions that are called once in the life of what they start.
var onceWords = []string{"start", "run", "serve", "listen", "open", "connect", "dial", "new", "make", "create", "begin", "launch", "boot",
	"main", "loop", "watch", "monitor", "enable", "resume", "spawn", "work", "join", "login", "reconnect", "handshake", "accept", "attach",
	"mount", "load", "build", "configure", "activate", "ensure", "subscribe", "restart"}

// startedOnce reports whether a call is made once in the life of a component: at its start, by the name of the function, under a
// sync.Once, or behind a test of what the component remembers.
func (r *Result) startedOnce(fn *ssa.Function, in ssa.Instruction) bool {
	top := ssawalk.Outermost(fn)
	said := words.Of(top.Name())
	if r.entries.Answered(top) == nil && len(said) > 0 && (slices.Contains(onceWords, said[0]) || slices.Contains(said, "loop")) {
		return true
	}
	if r.startsUp(fn) || r.entries.OneShot(fn) || remembers(in) {
		return true
	}
	for f := fn; f != nil; f = f.Parent() {
		for _, s := range r.callers[f] {
			if calledIs(s.in, "(*sync.Once).Do") {
				return true
			}
		}
	}
	return false
}

// remembers reports whether an instruction stands behind a test of a field, an element of a map or an atomic: once it has run, the next
// call may well not come there.
func remembers(in ssa.Instruction) bool {
	for b := in.Block(); b != nil; b = b.Idom() {
		if b == in.Block() || len(b.Instrs) == 0 {
			continue
		}
		test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if ok && ofState(test.Cond, 0) {
			return true
		}
	}
	return false
}

// ofState reports whether a condition depends on a field, an element of a map or an atomic.
func ofState(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return ofState(v.X, depth+1) || ofState(v.Y, depth+1)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return ofState(v.X, depth+1)
		}
		_, field := v.X.(*ssa.FieldAddr)
		_, global := v.X.(*ssa.Global)
		return field || global
	case *ssa.Extract:
		return ofState(v.Tuple, depth+1)
	case *ssa.Lookup, *ssa.Phi:
		return true
	case *ssa.Call:
		obj := ssawalk.Callee(v)
		return obj != nil && obj.Pkg() != nil && (obj.Pkg().Path() == "sync/atomic" || obj.Pkg().Path() == "sync")
	}
	return false
}
