package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// leftBelow returns a return by which the maker of a pipe, or a function that it gives the reading end to, leaves that with more to come.
func (p *pipe) leftBelow(fn *ssa.Function) ssa.Instruction {
	if !p.free(p.endsOrJoins()) {
		return nil // it was handed on before
	}
	chans := p.r.flow.chansOf(p.start)
	u := p.r.newUnread(fn, p.reader, newLeftWalk(p.start.Block()), 0)
	u.also = func(in ssa.Instruction) bool { return in == ssa.Instruction(p.made) || p.r.waitsFor(in, chans) }
	return firstWay(u.ways(after(p.start)))
}

// leftByCaller returns a return by which a caller in sight leaves the reading end that it is given with more to come, and how the caller
// calls it.
func (p *pipe) leftByCaller(fn *ssa.Function) (ssa.Instruction, string) {
	i, given := p.returned(fn)
	if i < 0 {
		return nil, ""
	}
	for _, s := range p.r.callers[fn] {
		call, ok := s.in.(*ssa.Call)
		if !ok || p.r.oneShot(s.fn) || p.r.entries.TestCode(s.fn) || !p.r.surelyRuns(call, fn) {
			continue // of no other goroutine; the program is over soon; one of several that may be called
		}
		var v ssa.Value = call
		if fn.Signature.Results().Len() > 1 {
			v = extractOf(call, i)
		}
		if v == nil {
			continue // nobody takes it
		}
		walk := newLeftWalk(nil)
		walk.failed[call] = given
		u := p.r.newUnread(s.fn, aliasesOf(false, v), walk, 0)
		u.also = func(in ssa.Instruction) bool { return in == ssa.Instruction(call) }
		if left := firstWay(u.ways(after(call))); left != nil {
			return left, resultName(call, i, "its reader")
		}
	}
	return nil, ""
}

// returned returns which result of its maker the reading end is, and the returns that give it; -1 where anything else is done with it, or
// what is given beside it may end it.
func (p *pipe) returned(fn *ssa.Function) (index int, given []leftWay) {
	index = -1
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if !p.reader.used(in) {
				continue
			}
			ret, ok := in.(*ssa.Return)
			if !ok {
				return -1, nil
			}
			for i, x := range ret.Results {
				if p.reader.vals[x] {
					index = i
				}
			}
			ways := newLeftWalk(nil).waysBy(ret)
			if len(ways) == 0 {
				return -1, nil // whether it says that something has failed is not told
			}
			given = append(given, ways...)
		}
	}
	for i := range fn.Signature.Results().Len() {
		t := fn.Signature.Results().At(i).Type()
		if _, plain := t.Underlying().(*types.Basic); i != index && !plain && !typeset.IsError(t) {
			return -1, nil
		}
	}
	return index, given
}

// waitsFor reports whether an instruction waits for a goroutine that has these channels, or for a group, now or at the end.
func (r *Result) waitsFor(in ssa.Instruction, chans map[ssa.Value]bool) bool {
	return r.flow.joins(in, chans) || r.deaf.joinsAtEnd(in) || r.deaf.waitsBelow(in, 0)
}

// surelyRuns reports whether a call surely runs fn.
func (r *Result) surelyRuns(call *ssa.Call, fn *ssa.Function) bool {
	targets, all := r.ctx.Targets(call.Common())
	return all && len(targets) == 1 && targets[0].Fn == fn
}

func firstWay(ways []leftWay) ssa.Instruction {
	if len(ways) == 0 {
		return nil
	}
	return ways[0].ret
}
