package budgets

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/loops"
)

// A timer that is made in a select of a loop begins anew in each round. Beside a ticker it is put off with each tick, and never fires
// (time.After; streamnative/pulsarctl#85).
//
//	for {
//		select {
//		case <-tick.C:
//			if done() {
//				return nil
//			}
//		case <-time.After(limit):
//			return errLate
//		}
//	}

// anew looks at the selects of fn that have a timer which never fires.
func (p *program) anew(fn *ssa.Function) []Misfit {
	var out []Misfit
	for in := range ssawalk.Instrs(fn) {
		sel, ok := in.(*ssa.Select)
		if !ok || !sel.Blocking || !ssawalk.Reaches(sel.Block(), sel.Block()) {
			continue
		}
		if m, ok := p.putOff(sel); ok {
			out = append(out, m)
		}
	}
	return out
}

// putOff returns the timer of a select that each tick beside it puts off.
func (p *program) putOff(sel *ssa.Select) (Misfit, bool) {
	var timer *ssa.Call
	tick, others := -1, false
	for i, s := range sel.States {
		made := loops.TimerOf(s.Chan)
		switch {
		case s.Dir != types.RecvOnly:
			return Misfit{}, false
		case made != nil && ssawalk.CalleeName(made) == "time.After" && inLoopOf(made, sel):
			if timer != nil {
				return Misfit{}, false // the shorter fires
			}
			timer = made
		case ticks(s.Chan) && made != nil && !inLoopOf(made, sel):
			tick = i
		case !loops.IsDone(s.Chan) && !typeset.IsSignalChan(s.Chan.Type()):
			others = true
		}
	}
	if timer == nil || tick < 0 || !goesRoundAfter(sel, tick) {
		return Misfit{}, false // a tick leaves the loop
	}
	limit, limited := p.lengths.Of(timer.Call.Args[0])
	every, regular := p.lengths.Of(loops.TimerOf(sel.States[tick].Chan).Call.Args[0])
	both := limited && regular
	if both && limit <= every || others && !both {
		return Misfit{}, false // it fires before the tick; it may be how long nothing else may come
	}
	text := "ticks"
	if regular {
		text = "ticks every " + durations.Text(every)
	}
	return Misfit{Kind: "never", At: timer.Pos(), Limit: limit, Name: "time.After", Parts: []Part{{Pos: sel.Pos(), Text: text}}}, true
}

// inLoopOf reports whether a call is made anew each time that a select is come to.
func inLoopOf(made *ssa.Call, sel *ssa.Select) bool {
	return made.Parent() == sel.Parent() && ssawalk.Reaches(sel.Block(), made.Block()) && (made.Block() == sel.Block() || ssawalk.Reaches(made.Block(), sel.Block()))
}

// goesRoundAfter reports whether a case of a select may come back to it.
func goesRoundAfter(sel *ssa.Select, state int) bool {
	arm := ssawalk.Arm(sel, state)
	return arm != nil && (arm == sel.Block() || ssawalk.Reaches(arm, sel.Block()))
}
