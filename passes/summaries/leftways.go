package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// leftWay is a return by which a function leaves something undone that a goroutine waits for, and what it answers then.
type leftWay struct {
	ret ssa.Instruction
	end outcome
}

// outcome says what is known of the error that a function returns.
type outcome uint8

const (
	anyhow outcome = iota // it returns none, or nobody asked for it
	fails
	succeeds
)

// leftWalk goes through a function, past what may leave that undone.
type leftWalk struct {
	asked  *ssa.BasicBlock         // where the goroutine is started: what was asked before gets the same answer; nil in a helper
	failed map[*ssa.Call][]leftWay // the calls that may leave it undone, passed on the way
}

func newLeftWalk(asked *ssa.BasicBlock) *leftWalk {
	return &leftWalk{asked: asked, failed: make(map[*ssa.Call][]leftWay)}
}

// waysBy returns what a return says that is reached with it undone; nothing where that cannot be told.
func (w *leftWalk) waysBy(ret *ssa.Return) []leftWay {
	if len(ret.Results) == 0 || !typeset.IsError(ret.Results[len(ret.Results)-1].Type()) {
		return []leftWay{{ret, anyhow}}
	}
	err := returnedBy(ret, len(ret.Results)-1)
	if ssawalk.IsNil(err) {
		return []leftWay{{ret, succeeds}}
	}
	if ways, ok := w.failed[madeByCall(err)]; ok {
		return ways // whatever that says
	}
	for cond, taken := range conditions(ret.Block()) {
		if asked, whenNil := loops.NilTest(cond); asked != nil && sameValue(asked, err) {
			if taken == whenNil {
				return []leftWay{{ret, succeeds}}
			}
			return []leftWay{{ret, fails}}
		}
	}
	if global, ok := err.(*ssa.UnOp); ok {
		if _, ok := global.X.(*ssa.Global); ok {
			return []leftWay{{ret, fails}}
		}
	}
	if _, ok := err.(*ssa.MakeInterface); ok || madeByCall(err) != nil {
		return []leftWay{{ret, fails}} // it may; a call that may succeed as well is not asked
	}
	return nil
}

// returnedBy returns the i-th result of a return: in a function that defers something, what is stored in the result before. What a deferred
// literal may change stays a load.
func returnedBy(ret *ssa.Return, i int) ssa.Value {
	v := ret.Results[i]
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.Block() != ret.Block() {
		return v
	}
	result, ok := load.X.(*ssa.Alloc)
	if !ok || slices.ContainsFunc(*result.Referrers(), func(in ssa.Instruction) bool { _, has := in.(*ssa.MakeClosure); return has }) {
		return v
	}
	for at := indexIn(load.Block(), load) - 1; at >= 0; at-- {
		if st, ok := load.Block().Instrs[at].(*ssa.Store); ok && st.Addr == ssa.Value(result) {
			return st.Val
		}
	}
	return v
}

// madeByCall returns the call that a value is a result of, or nil.
func madeByCall(v ssa.Value) *ssa.Call {
	v = ssawalk.Source(v)
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, _ := v.(*ssa.Call)
	return call
}

// take reports whether a branch may surely be taken with it undone.
func (w *leftWalk) take(from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return true
	}
	if w.asked != nil && !answersAlike(w.asked, from, to) {
		return false
	}
	cond, taken := loops.Plain(branch.Cond, from.Succs[0] == to)
	asked, whenNil := loops.NilTest(cond)
	switch {
	case asked != nil && typeset.IsError(asked.Type()):
		return w.agrees(asked, taken == whenNil)
	case asked != nil && isChan(asked.Type()), remembersFlag(cond):
		return false // it may say whether there is something to do
	}
	return !w.aboutFailed(cond)
}

// agrees reports whether an error may be nil, or not, with it undone.
func (w *leftWalk) agrees(err ssa.Value, isNil bool) bool {
	ways, ok := w.failed[madeByCall(err)]
	if !ok {
		return len(w.failed) == 0 || madeByCall(err) != nil // else it may be the helper's, by another name
	}
	return slices.ContainsFunc(ways, func(way leftWay) bool { return way.end == anyhow || (way.end == succeeds) == isNil })
}

// remembersFlag reports whether a condition is a variable or field that an earlier step may have set.
func remembersFlag(cond ssa.Value) bool {
	switch cond := cond.(type) {
	case *ssa.Phi:
		return true
	case *ssa.UnOp:
		return cond.Op == token.MUL
	}
	return false
}

// aboutFailed reports whether a condition asks for what a helper answered that may have left it undone.
func (w *leftWalk) aboutFailed(cond ssa.Value) bool {
	if _, ok := w.failed[madeByCall(cond)]; ok {
		return true
	}
	bin, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	_, x := w.failed[madeByCall(bin.X)]
	_, y := w.failed[madeByCall(bin.Y)]
	return x || y
}
