package summaries

import (
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// A retry that cannot fit: the numbers are all in sight, and after the pause there is surely less left of the context than the next
// attempt may take, or nothing at all. That the context runs since it was made, and attempts take time too, only makes it worse.
//
// What attempts with caps of their own take in a loop that counts its rounds is the sum of overbudget/attempts, and one cap that is no
// shorter than the limit around it that of overbudget/loop: package budgets adds them up, and they are not said twice.

// fit is what is known of a pause that does not fit.
type fit struct {
	allows time.Duration // what the context around the loop allows, at most
	next   time.Duration // the cap of the next attempt, 0 when the pause alone is too long
	ctx    string
}

// judgeFits judges the pauses of fn between the rounds of loops under a context whose length is known.
func (r *Result) judgeFits(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) {
		return // a test has its own timeout
	}
	for at, length := range r.pausesOf(fn) {
		if length <= 0 {
			continue // nobody knows how long
		}
		if asksTime(ssawalk.Outermost(fn)) {
			return // somebody looks how much is left, and what for cannot be told
		}
		l := r.roundOf(at)
		if l == nil || l.Ring() || l.Timed() {
			continue // it runs once; a clock ends it
		}
		f := r.aroundLoop(l)
		if f.allows == 0 {
			continue // nothing above is known to end it, or not when
		}
		if length < f.allows {
			if f.next = r.nextAttempt(l); f.next == 0 || f.next >= f.allows || length+f.next <= f.allows {
				continue // it fits, or nobody can tell; a cap as long as the limit is overbudget's
			}
		}
		if f.next > 0 && l.Counted() {
			continue // the sum of overbudget/attempts
		}
		w := Wait{Name: "a pause", Src: at.Pos(), In: fn, For: length}
		v := r.verdict("blindretry", "fit", w, loopName(l), nil)
		if call, ok := at.(ssa.CallInstruction); ok {
			v.Pos = call.Common().Pos()
		} else {
			v.End = r.endAt(at)
		}
		if _, told := c.byPos[v.Pos]; told {
			continue // that it does not hear the context is the nearer defect
		}
		v.Ctx, v.Allows, v.Next = f.ctx, f.allows, f.next
		c.add(v)
	}
}

// pausesOf returns the pauses of fn and how long each is, 0 when not known: selects and receives that nothing else than a context
// ends, and calls that sleep. One that a stop ends too may be over at any time.
func (r *Result) pausesOf(fn *ssa.Function) map[ssa.Instruction]time.Duration {
	out := make(map[ssa.Instruction]time.Duration)
	for _, p := range loops.Pauses(fn) {
		if len(p.Stops) == 0 {
			out[p.At] = r.timerLength(fn, p.Chan)
		}
	}
	for call := range ssawalk.Calls(fn) {
		if _, plain := call.(*ssa.Call); !plain {
			continue
		}
		targets, _ := r.ctx.Targets(call.Common())
		if len(targets) != 1 {
			continue
		}
		t := targets[0]
		if row, ok := r.ctx.Row(t.Obj); ok && row.Verb == knowledge.Sleeps && !ofRuntime(t.Obj) {
			out[call], _ = r.lengths.Of(t.At(row.For))
		} else if t.Fn != nil {
			out[call] = r.pausesFor(t)
		}
	}
	return out
}

// timerLength returns how long a timer or ticker that fn makes runs at least, 0 when that is not known: one that is set anew by the
// least that it is set to.
func (r *Result) timerLength(fn *ssa.Function, ch ssa.Value) time.Duration {
	made := loops.TimerOf(ch)
	if made == nil || made.Parent() != fn || len(made.Call.Args) == 0 {
		return 0 // one that others made may be about to ring
	}
	least, _ := r.lengths.Of(made.Call.Args[0])
	for _, ref := range *made.Referrers() {
		call, ok := ref.(ssa.CallInstruction)
		if !ok || calleeName(call) != "Reset" {
			continue
		}
		args := call.Common().Args
		d, _ := r.lengths.Of(args[len(args)-1])
		least = min(least, d)
	}
	return least
}

// pausesFor returns how long a call of a function of this package pauses that does nothing else: select { case <-time.After(d): case
// <-ctx.Done(): }, for the d that it is given. 0 when it is not one.
func (r *Result) pausesFor(t contexts.Target) time.Duration {
	found := loops.Pauses(t.Fn)
	if len(found) != 1 || len(found[0].Stops) > 0 || len(t.Fn.Blocks) > 12 || len(r.loops.In(t.Fn)) > 0 {
		return 0
	}
	made := loops.TimerOf(found[0].Chan)
	if made == nil || made.Parent() != t.Fn || len(made.Call.Args) == 0 {
		return 0
	}
	p, ok := ssawalk.Source(made.Call.Args[0]).(*ssa.Parameter)
	if !ok {
		d, _ := r.lengths.Of(made.Call.Args[0])
		return d
	}
	if i := paramIndex(t.Fn, p); i >= 0 && i < len(t.Args) {
		d, _ := r.lengths.Of(t.Args[i])
		return d
	}
	return 0
}

// nextAttempt returns the longest cap that a round of the loop puts on itself, 0 when there is none.
func (r *Result) nextAttempt(l *loops.Loop) time.Duration {
	longest := time.Duration(0)
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || r.loops.Around(call) != l {
				continue
			}
			if r.caps(call) {
				longest = max(longest, r.capLength(call))
				continue
			}
			for _, e := range r.effects(l.Fn, call) {
				if e.End == ByParam && e.Own && !e.Default && !e.Async {
					longest = max(longest, e.For)
				}
			}
		}
	}
	return longest
}

func (r *Result) capLength(call *ssa.Call) time.Duration {
	targets, _ := r.ctx.Targets(&call.Call)
	row, _ := r.ctx.Row(targets[0].Obj)
	if !row.Within.IsSet() {
		return 0
	}
	d, _ := r.lengths.Of(targets[0].At(row.Within))
	return d
}

// asksTime reports whether a function, or a literal in it, asks how much time is left: a context's Deadline, time.Until, or the runtime
// package.
func asksTime(fn *ssa.Function) bool {
	for c := range ssawalk.Calls(fn) {
		callee := ssawalk.Callee(c)
		if callee == nil {
			continue
		}
		if calledIs(c, "time.Until") || callee.Name() == "Deadline" && callee.Signature().Recv() != nil || ofRuntime(callee) {
			return true
		}
	}
	for _, lit := range fn.AnonFuncs {
		if asksTime(lit) {
			return true
		}
	}
	return false
}

// ofRuntime reports whether a function is of the runtime package, which begins nothing that does not fit.
func ofRuntime(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "github.com/doneby/doneby/deadline"
}
