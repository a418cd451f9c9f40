package summaries

import (
	"go/ast"
	"go/constant"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/loops"
)

// A range over a function is a call that is given the loop's body: the rounds, and the pauses between them, are those of the function that
// is ranged over, and what is attempted in a round is in the body.

// judgeRanges judges the ranges of fn over functions of the package that pause between their rounds and have no context.
func (r *Result) judgeRanges(c *court, fn *ssa.Function) {
	for call := range ssawalk.Calls(fn) {
		body, at := rangedBody(call)
		if body == nil {
			continue
		}
		p := r.pauseBetween(call, body, 0)
		if p == nil {
			continue // no pause, one that hears a context, or nobody can tell
		}
		round := loops.Over(body)
		reach := r.mayInherit(fn, call, round)
		if len(reach) == 0 {
			continue // nothing to inherit
		}
		goesOn, retries := r.bodyRetries(round)
		kind := "pause"
		switch {
		case !retries:
			continue // other things each round, or the first that fails ends it
		case goesOn && !p.soon():
		case p.For >= lateness:
			kind = "long" // the loop ends, when the pause is over
		default:
			kind = "late" // it ends before anybody minds, or nobody can tell when
		}
		v := r.verdict("blindretry", kind, p.Wait, "retry loop", reach)
		v.Pos, v.End, v.In = at.X.Pos(), at.X.End(), fn
		c.add(v)
	}
}

// rangedBody returns the body of a range over a function, as the function that the call is given, and the statement; nil when the call is
// none.
func rangedBody(call ssa.CallInstruction) (*ssa.Function, *ast.RangeStmt) {
	args := call.Common().Args
	if len(args) == 0 {
		return nil, nil
	}
	var body *ssa.Function
	switch v := args[len(args)-1].(type) {
	case *ssa.MakeClosure:
		body = v.Fn.(*ssa.Function)
	case *ssa.Function:
		body = v
	default:
		return nil, nil
	}
	at, ok := body.Syntax().(*ast.RangeStmt)
	if !ok || body.Parent() != call.Parent() {
		return nil, nil
	}
	return body, at
}

func isRange(call ssa.CallInstruction) bool {
	body, _ := rangedBody(call)
	return body != nil
}

// between is the pause between two rounds, and how many there are at most, 0 when that is not told.
type between struct {
	Wait
	rounds int64
}

// soon reports whether the pauses of all rounds together are over before anybody minds.
func (b *between) soon() bool {
	return b.For > 0 && b.rounds > 0 && time.Duration(b.rounds)*b.For < lateness
}

// pauseBetween returns the pause between the rounds of a call that is given what a round does, or nil.
func (r *Result) pauseBetween(call ssa.CallInstruction, given *ssa.Function, depth int) *between {
	targets, all := r.ctx.Targets(call.Common())
	if !all || len(targets) != 1 || targets[0].Fn == nil || depth > maxHelpers {
		return nil
	}
	t := targets[0]
	i := slices.IndexFunc(t.Args, func(a ssa.Value) bool { return a != nil && isLiteral(a, given) })
	if i < 0 || i >= len(t.Fn.Params) || len(r.reach(t.Fn)) > 0 {
		return nil // it has a context: what it does with that is judged there
	}
	return r.pauseAround(t.Fn, t.Fn.Params[i], depth)
}

// pauseAround returns the pause in the loop in which fn calls its parameter, be it from the body of a range of its own; nil when there is
// none.
func (r *Result) pauseAround(fn *ssa.Function, yield *ssa.Parameter, depth int) *between {
	for call := range ssawalk.Calls(fn) {
		body, _ := rangedBody(call)
		switch {
		case r.calledParam(call.Common().Value) == yield && !call.Common().IsInvoke():
			if p := r.pauseIn(r.loops.Around(call)); p != nil {
				return p
			}
		case body != nil && r.callsIt(body, yield):
			if p := r.pauseIn(loops.Over(body)); p != nil {
				return p
			}
			if p := r.pauseBetween(call, body, depth+1); p != nil {
				return p
			}
		}
	}
	return nil
}

// callsIt reports whether a body calls a parameter of a function around it.
func (r *Result) callsIt(body *ssa.Function, p *ssa.Parameter) bool {
	for call := range ssawalk.Calls(body) {
		if !call.Common().IsInvoke() && r.calledParam(call.Common().Value) == p {
			return true
		}
	}
	return false
}

// pauseIn returns a pause in each round of a loop that hears no context, nor anything else that may come from one; nil when there is none.
func (r *Result) pauseIn(l *loops.Loop) *between {
	if l == nil || r.looksAround(l) {
		return nil
	}
	rounds := int64(0)
	if l.Head != nil {
		rounds = l.Rounds()
	}
	for _, p := range loops.Pauses(l.Fn) {
		if l.Has(p.At.Block()) && !p.Hears && r.stopsOnly(p.Stops) {
			return &between{r.pauseWait(l.Fn, p, true), rounds}
		}
	}
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			for _, e := range r.effects(l.Fn, call) {
				if e.Pause && !e.Async {
					return &between{e.Wait, rounds}
				}
			}
		}
	}
	return nil
}

// bodyRetries reports whether a body makes attempts that leave the range when they succeed and lead to the next round when they fail, and
// whether they surely do the latter when the context in reach is over.
func (r *Result) bodyRetries(round *loops.Loop) (goesOn, retries bool) {
	goesOn = !r.looksAround(round)
	for _, b := range round.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || !r.isAttempt(round, call) {
				continue
			}
			w := &way{r: r, l: round, call: call, err: errorOf(call), pauses: true}
			w.kept = capturedBy(w.err)
			next := w.nextRound()
			if next == nil || !w.leavesOnSuccess() {
				goesOn = false // whatever the others do, this one may end it
				continue
			}
			retries = true
			w.to, w.seen = next, make(map[*ssa.BasicBlock]bool)
			goesOn = goesOn && w.round()
		}
	}
	return goesOn, retries
}

// nextRound returns the return from a body with which a failed attempt may lead to the next round, or nil.
func (w *way) nextRound() ssa.Instruction {
	for _, b := range w.passes() {
		if ret := asksForMore(b); ret != nil {
			return ret
		}
	}
	return nil
}

// asksForMore returns the return at the end of a block of a body by which the range goes on, or nil.
func asksForMore(b *ssa.BasicBlock) ssa.Instruction {
	ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) != 1 || isFalse(ret.Results[0]) {
		return nil
	}
	return ret
}

func isFalse(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)
}

// leavesOnSuccess reports whether the body asks if the attempt has failed, and leaves the range where it has not.
func (w *way) leavesOnSuccess() bool {
	for _, b := range w.l.Blocks() {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cond, yes := loops.Plain(in.Cond, true)
		err, whenNil := loops.NilTest(cond)
		if err == nil || !w.is(err) {
			continue
		}
		to := one(b, whenNil == yes)[0]
		if asksForMore(to) == nil && !slices.ContainsFunc(w.l.Blocks(), func(x *ssa.BasicBlock) bool {
			return asksForMore(x) != nil && ssawalk.Reaches(to, x)
		}) {
			return true
		}
	}
	return false
}

// capturedBy returns the variable of a function around it in which an error is kept at once, or nil.
func capturedBy(err ssa.Value) ssa.Value {
	if err == nil {
		return nil
	}
	for _, ref := range *err.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Val == err {
			if _, captured := st.Addr.(*ssa.FreeVar); captured {
				return st.Addr
			}
		}
	}
	return nil
}
