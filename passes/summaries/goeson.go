package summaries

import (
	"go/token"
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// lateness is how late the end of a context may be heard before it is a defect by itself: a loop that ends at its next look or attempt,
// and whose pause is shorter, is over soon.
const lateness = 5 * time.Second

// goesOn reports whether a loop surely goes on when the context in reach is over: each attempt with which a round may begin leads on,
// when it fails, to the next round without a look at one, or at why it failed. A look that comes only after an attempt that succeeds is
// not reached any more. A loop without attempts, which polls for something else, goes on when it looks nowhere; one that makes only a
// few attempts with short pauses is over soon.
func (r *Result) goesOn(l *loops.Loop, pause time.Duration) bool {
	return r.goesOnAfter(l, pause, r.isAttempt)
}

// helperGoesOn is the same for a loop of a function without a context, whose attempts are what the function is given. It asks no
// summary, and may be asked while they are made.
func (r *Result) helperGoesOn(l *loops.Loop, pause time.Duration) bool {
	return r.goesOnAfter(l, pause, func(_ *loops.Loop, call *ssa.Call) bool { return r.runsParam(call) })
}

func (r *Result) goesOnAfter(l *loops.Loop, pause time.Duration, attempt func(*loops.Loop, *ssa.Call) bool) bool {
	if pause > 0 && l.Rounds() > 0 && time.Duration(l.Rounds())*pause < lateness {
		return false
	}
	attempts := firstAttempts(l, attempt)
	for _, call := range attempts {
		w := &way{r: r, l: l, call: call, err: errorOf(call), seen: make(map[*ssa.BasicBlock]bool), pauses: true}
		if !w.round() || r.looksAtEnd(l, w.passes(), w.succs) {
			return false
		}
	}
	return len(attempts) > 0 || !r.looksAround(l)
}

// looksAround is looksAtEnd of all blocks of a loop and the way out of each.
func (r *Result) looksAround(l *loops.Loop) bool {
	return r.looksAtEnd(l, l.Blocks(), func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
}

// looksAtEnd reports whether some blocks of a loop look at a context, or at a channel that may be closed when one is over: one that a
// field keeps, and that is closed elsewhere only, says that a component ends.
func (r *Result) looksAtEnd(l *loops.Loop, blocks []*ssa.BasicBlock, succs func(*ssa.BasicBlock) []*ssa.BasicBlock) bool {
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if !loops.Looks(in) {
				continue
			}
			switch in := in.(type) {
			case *ssa.UnOp:
				if r.stopsOnly([]ssa.Value{in.X}) {
					continue
				}
			case *ssa.Select:
				if r.stopsOnly(signals(in)) {
					continue
				}
			}
			return true
		}
		for _, s := range succs(b) {
			if !l.Has(s) && slices.ContainsFunc(s.Instrs, loops.Looks) {
				return true // on the way out
			}
		}
	}
	return false
}

// signals returns the channels of a select that only say that something is over.
func signals(sel *ssa.Select) []ssa.Value {
	var out []ssa.Value
	for _, s := range sel.States {
		if s.Dir == types.RecvOnly && typeset.IsSignalChan(s.Chan.Type()) {
			out = append(out, s.Chan)
		}
	}
	return out
}

// firstAttempts returns the attempts of a loop that no other precedes in a round; of a ring all.
func firstAttempts(l *loops.Loop, attempt func(*loops.Loop, *ssa.Call) bool) []*ssa.Call {
	var out []*ssa.Call
	seen := make(map[*ssa.BasicBlock]bool)
	var from func(b *ssa.BasicBlock)
	from = func(b *ssa.BasicBlock) {
		if seen[b] || !l.Has(b) {
			return
		}
		seen[b] = true
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && attempt(l, call) {
				out = append(out, call)
				return
			}
		}
		for _, s := range b.Succs {
			from(s)
		}
	}
	if l.Head != nil {
		from(l.Head)
	}
	return out
}

// isAttempt reports whether a call can fail since the context in reach is over: it waits on that, or runs what its function is given.
func (r *Result) isAttempt(l *loops.Loop, call *ssa.Call) bool {
	if !typeset.ReturnsError(call.Call.Signature()) {
		return false
	}
	if r.runsParam(call) {
		return true
	}
	for _, e := range r.effects(l.Fn, call) {
		if e.End == ByParam && e.set.Any(contexts.Origin.Inherited) {
			return true
		}
	}
	return false
}

// runsParam reports whether a call that can fail runs a function that its own function is given.
func (r *Result) runsParam(call *ssa.Call) bool {
	return !call.Call.IsInvoke() && typeset.ReturnsError(call.Call.Signature()) && r.calledParam(call.Call.Value) != nil
}

// isPause reports whether an instruction only waits for time to pass.
func isPause(in ssa.Instruction) bool {
	for _, p := range loops.Pauses(in.Parent()) {
		if p.At == in {
			return true
		}
	}
	return false
}

// onlyKept reports whether what a φ makes of an error is not looked at in the loop: it is kept for whoever comes after.
func (w *way) onlyKept(phi *ssa.Phi, depth int) bool {
	for _, ref := range *phi.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Phi:
			if ref != phi && depth < 3 && !w.onlyKept(ref, depth+1) {
				return false
			}
		case *ssa.DebugRef:
		default:
			if w.l.Has(ref.Block()) && !testsNil(ref, phi) {
				return false
			}
		}
	}
	return true
}

// testsNil reports whether an instruction compares a value with nil.
func testsNil(in ssa.Instruction, v ssa.Value) bool {
	bin, ok := in.(*ssa.BinOp)
	if !ok || bin.Op != token.EQL && bin.Op != token.NEQ {
		return false
	}
	x, _ := loops.NilTest(bin)
	return x == v
}
