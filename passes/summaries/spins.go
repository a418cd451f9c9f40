package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/loops"
)

// judgeSpins judges a select in a loop whose case for the end of a context goes round again: Done stays ready, so that the loop turns as
// fast as it can, for ever. Mostly a break was meant to leave the loop and leaves the select.
func (r *Result) judgeSpins(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) {
		return
	}
	for _, l := range r.loops.In(fn) {
		for _, b := range l.Blocks() {
			for _, in := range b.Instrs {
				sel, ok := in.(*ssa.Select)
				if !ok || !sel.Blocking || r.loops.Around(sel) != l {
					continue
				}
				r.judgeSpin(c, l, sel)
			}
		}
	}
}

func (r *Result) judgeSpin(c *court, l *loops.Loop, sel *ssa.Select) {
	for i, s := range sel.States {
		if s.Dir != types.RecvOnly || !loops.IsDone(s.Chan) || !fixedIn(l, doneOf(s.Chan)) {
			continue // it may be another context, or none, in the next round
		}
		arm := ssawalk.Arm(sel, i)
		if arm == nil || !l.Has(arm) || !onlyRound(l, arm, sel) {
			continue // it leaves, or something on the way round may
		}
		reach := r.reach(sel.Parent())
		w := Wait{Name: contextText(s.Chan), Src: s.Pos, In: sel.Parent()}
		v := r.verdict("deafctx", "spin", w, w.Name, reach)
		v.End = s.Pos + token.Pos(len("<-"))
		c.add(v)
	}
}

// fixedIn reports whether a value is the same in each round of a loop.
func fixedIn(l *loops.Loop, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	case ssa.Instruction:
		return !l.Has(v.Block())
	}
	return false
}

// onlyRound reports whether all ways from the arm of a select lead back to the select within the loop, with nothing on them that could
// make another case leave it: where the loop is left nowhere, whatever the arm does; else where it does nothing.
func onlyRound(l *loops.Loop, arm *ssa.BasicBlock, sel *ssa.Select) bool {
	left := isLeft(l)
	seen := map[*ssa.BasicBlock]bool{sel.Block(): true}
	todo := []*ssa.BasicBlock{arm}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if !l.Has(b) || left && acts(b) {
			return false
		}
		todo = append(todo, b.Succs...)
	}
	return true
}

// isLeft reports whether some way leads out of a loop.
func isLeft(l *loops.Loop) bool {
	for _, b := range l.Blocks() {
		for _, s := range b.Succs {
			if _, never := s.Instrs[len(s.Instrs)-1].(*ssa.Panic); !l.Has(s) && !never {
				return true // what panics there is a select without a case, which does not come about
			}
		}
	}
	return false
}

// acts reports whether a block calls, sends, starts or stores something.
func acts(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		switch in.(type) {
		case ssa.CallInstruction, *ssa.Send, *ssa.Store, *ssa.MapUpdate, *ssa.Select:
			return true
		}
	}
	return false
}

// contextText is the context whose Done a channel is, as a reader would type it.
func contextText(ch ssa.Value) string {
	if name := valueName(doneOf(ch)); name != unnamed {
		return name
	}
	return "its context"
}
