package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// A goroutine that sends to a channel without room stays where whoever receives has gone: a timer has sent it away, or it receives once and
// there are two that send. No context is needed for either.
//
//	done := make(chan error)
//	go func() { done <- cmd.Wait() }()
//	select {
//	case err := <-done:
//		return err
//	case <-time.After(limit):
//		return errLate
//	}

// unheard is a channel without room that one call makes, and a goroutine of that call which sends to it.
type unheard struct {
	r     *Result
	ch    *channels.Chan
	wait  *channels.Wait
	start started
}

// judgeUnheard judges the goroutines that send what nobody may receive any more.
func (r *Result) judgeUnheard(c *court) {
	for _, w := range r.deaf.all {
		u := r.unheardOf(w)
		if u == nil {
			continue
		}
		if _, told := c.byPos[startPos(u.start.at.in)]; told {
			continue // of a context that sends its receiver away, or of what else it waits for
		}
		left := u.sentAway()
		if left == nil {
			left = u.leavesEarly()
		}
		if left == nil {
			left = u.receivesLess()
		}
		if left != nil {
			u.add(c, left)
		}
	}
}

// unheardOf returns the channel that a wait in a goroutine sends to; nil for any other wait.
func (r *Result) unheardOf(w *channels.Wait) *unheard {
	if w.Kind != channels.Send || w.On().Chan == nil {
		return nil
	}
	ch := w.On().Chan
	if len(ch.Makes) != 1 || ch.Kept || !(ch.Lent || !ch.Open && !ch.Taken) || !withoutRoom(ch.Makes[0]) {
		return nil // others have it too, or it is another call's; what it holds need not be received
	}
	fn := ch.Makes[0].Parent()
	if r.oneShot(fn) || r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) {
		return nil // the program is over soon
	}
	start := r.deaf.startsCaller(w.Fn, fn, started{}, 0)
	if start.from == nil || !r.deaf.spawns(start.at) || r.deaf.hasServed(w) {
		return nil // of the call's own goroutine, or of one for the life of a server
	}
	return &unheard{r: r, ch: ch, wait: w, start: start}
}

func withoutRoom(m *ssa.MakeChan) bool {
	size, ok := m.Size.(*ssa.Const)
	return ok && size.Int64() == 0
}

// sentAway returns the return by which the one function that receives leaves when a timer fires; nil when there is none.
func (u *unheard) sentAway() ssa.Instruction {
	home := u.home()
	if home == nil {
		return nil // others receive, or the program is over soon
	}
	for _, w := range u.r.deaf.ops.Waits(home) {
		sel, ok := w.Instr.(*ssa.Select)
		if !ok || !slices.ContainsFunc(w.Cases, u.receives) || home == u.start.from.Parent() && !ssawalk.MayFollow(u.start.from, sel) {
			continue
		}
		for i, op := range w.Cases {
			if op.Kind != channels.Receive || !u.limits(op) {
				continue
			}
			if arm := ssawalk.Arm(sel, i); arm != nil {
				if left := u.returnFrom(arm); left != nil && givesUpBy(sel, i, left) {
					return left
				}
			}
		}
	}
	return nil
}

// givesUpBy reports whether a case of a select that comes to a return gives up by it: with an error, or, where there is none to return, by a
// return of its own. Who goes on after a while has seen that something started.
func givesUpBy(sel *ssa.Select, i int, left ssa.Instruction) bool {
	ret := left.(*ssa.Return)
	if typeset.ReturnsError(ret.Parent().Signature) {
		return returnsError(ret)
	}
	cases := casesOf(sel)
	return len(cases) == len(sel.States) && leaves(cases[i].Body)
}

// home returns the one function in which something is received, nil where there are several, or the program is over soon.
func (u *unheard) home() *ssa.Function {
	var home *ssa.Function
	for _, op := range u.ch.Ops {
		if op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		if home != nil && op.Fn != home {
			return nil
		}
		home = op.Fn
	}
	if home == nil || u.r.oneShot(home) {
		return nil
	}
	return home
}

func (u *unheard) receives(op *channels.Op) bool {
	return op.Kind == channels.Receive && op.Chan == u.ch
}

// limits reports whether a case of a select is that of a timer, or of a context that its own function has given a limit.
func (u *unheard) limits(op *channels.Op) bool {
	if timer, _ := loops.Ticks(op.On); timer {
		return true
	}
	done, ok := ssawalk.Source(op.On).(*ssa.Call)
	if !ok || !isDone(op.On) || !done.Call.IsInvoke() {
		return false
	}
	made := madeByCall(done.Call.Value)
	return made != nil && made.Parent() == op.Fn && putsDeadline(made)
}

// returnFrom returns the first return that is come to from a block without another receive, or a wait for the goroutine.
func (u *unheard) returnFrom(b *ssa.BasicBlock) ssa.Instruction {
	return earliest(reached(b.Instrs[0], isReturn, u.comes(), anyWay))
}

// comes tells the instructions by which something is received, or the goroutine is waited for.
func (u *unheard) comes() func(ssa.Instruction) bool {
	chans := u.r.flow.chansOf(u.start.from)
	return func(in ssa.Instruction) bool {
		return slices.ContainsFunc(u.ch.Ops, func(op *channels.Op) bool { return op.Instr == in }) || u.r.waitsFor(in, chans)
	}
}

// add enters the verdict at the go statement.
func (u *unheard) add(c *court, left ssa.Instruction) {
	d, w := u.r.deaf, u.wait
	fn := u.start.at.fn
	wait := Wait{Name: d.span(w).text, Src: startPos(u.start.at.in), In: fn}
	if w.Fn.Parent() == nil {
		wait = wait.through(w.Fn.Name(), u.start.call.in.Common().Pos())
	}
	v := u.r.verdict("orphan", "unheard", wait, wait.Name, u.r.reach(fn))
	v.Left = leftPos(left)
	u.r.addStart(c, v, fn, u.start.at.in)
}
