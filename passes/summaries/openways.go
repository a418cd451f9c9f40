package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// openWay is a return by which a function leaves the channel open, and what it answers then.
type openWay struct {
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

// openWalk goes through a function, past what may leave the channel open.
type openWalk struct {
	o      *open
	asked  *ssa.BasicBlock         // where the goroutine is started: what was asked before gets the same answer; nil in a helper
	failed map[*ssa.Call][]openWay // the calls that may leave it open, passed on the way
}

func (o *open) walk(asked *ssa.BasicBlock) *openWalk {
	return &openWalk{o: o, asked: asked, failed: make(map[*ssa.Call][]openWay)}
}

// ends reports whether an instruction closes the channel on each way, now or at the end, or waits for the goroutine.
func (w *openWalk) ends(in ssa.Instruction) bool {
	o := w.o
	return w.closes(in) || o.r.flow.joins(in, o.chans) || o.r.deaf.joinsAtEnd(in) || o.r.deaf.waitsBelow(in, 0)
}

func (w *openWalk) closes(in ssa.Instruction) bool {
	if w.o.direct[in] {
		return true
	}
	below := w.o.sites[in]
	if len(below) == 0 {
		return false
	}
	c, late := in.(ssa.CallInstruction), false
	if _, late = in.(*ssa.Defer); late {
		return true // whether it closes the channel then is not asked
	}
	targets, all := w.o.r.ctx.Targets(c.Common())
	if !all || len(targets) != 1 || !slices.Equal(below, []*ssa.Function{targets[0].Fn}) {
		return true // what is given a function may call it, or have it called
	}
	ways := w.o.ways(targets[0].Fn)
	if call, ok := in.(*ssa.Call); ok && len(ways) > 0 {
		w.failed[call] = ways
	}
	return len(ways) == 0
}

// ways returns the returns of a function that leave the channel open, in source order.
func (o *open) ways(fn *ssa.Function) []openWay {
	if known, ok := o.known[fn]; ok {
		return known
	}
	o.known[fn] = nil // a helper that calls itself is taken to close it
	w := o.walk(nil)
	var out []openWay
	for _, ret := range reached(fn.Blocks[0].Instrs[0], isReturn, w.ends, w.take) {
		out = append(out, w.waysBy(ret.(*ssa.Return))...)
	}
	slices.SortFunc(out, func(a, b openWay) int { return int(a.ret.Pos() - b.ret.Pos()) })
	o.known[fn] = out
	return out
}

// waysBy returns what a return says that is reached with the channel open; nothing where that cannot be told.
func (w *openWalk) waysBy(ret *ssa.Return) []openWay {
	if len(ret.Results) == 0 || !typeset.IsError(ret.Results[len(ret.Results)-1].Type()) {
		return []openWay{{ret, anyhow}}
	}
	err := ret.Results[len(ret.Results)-1]
	if ssawalk.IsNil(err) {
		return []openWay{{ret, succeeds}}
	}
	if ways, ok := w.failed[madeByCall(err)]; ok {
		return ways // whatever that says
	}
	for cond, taken := range conditions(ret.Block()) {
		if asked, whenNil := loops.NilTest(cond); asked != nil && sameValue(asked, err) {
			if taken == whenNil {
				return []openWay{{ret, succeeds}}
			}
			return []openWay{{ret, fails}}
		}
	}
	if global, ok := err.(*ssa.UnOp); ok {
		if _, ok := global.X.(*ssa.Global); ok {
			return []openWay{{ret, fails}}
		}
	}
	if _, ok := err.(*ssa.MakeInterface); ok || madeByCall(err) != nil {
		return []openWay{{ret, fails}} // it may; a call that may succeed as well is not asked
	}
	return nil
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

// take reports whether a branch may surely be taken with the channel open.
func (w *openWalk) take(from, to *ssa.BasicBlock) bool {
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
		return false // it may say whether there is something to close
	}
	return !w.aboutFailed(cond)
}

// agrees reports whether an error may be nil, or not, with the channel open.
func (w *openWalk) agrees(err ssa.Value, isNil bool) bool {
	ways, ok := w.failed[madeByCall(err)]
	if !ok {
		return len(w.failed) == 0 || madeByCall(err) != nil // else it may be the helper's, by another name
	}
	return slices.ContainsFunc(ways, func(way openWay) bool { return way.end == anyhow || (way.end == succeeds) == isNil })
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

// aboutFailed reports whether a condition asks for what a helper answered that may have left the channel open.
func (w *openWalk) aboutFailed(cond ssa.Value) bool {
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

// waitsBelow reports whether a call runs something that waits for a group, now or at the end.
func (d *deaf) waitsBelow(in ssa.Instruction, depth int) bool {
	c, ok := in.(ssa.CallInstruction)
	if _, isGo := in.(*ssa.Go); !ok || isGo || depth > maxClimb {
		return false
	}
	targets, _ := d.r.ctx.Targets(c.Common())
	for _, t := range targets {
		if t.Fn == nil {
			continue
		}
		if slices.ContainsFunc(d.ops.Waits(t.Fn), func(w *channels.Wait) bool { return w.Kind == channels.Group }) {
			return true
		}
		for below := range ssawalk.Calls(t.Fn) {
			if d.waitsBelow(below, depth+1) {
				return true
			}
		}
	}
	return false
}
