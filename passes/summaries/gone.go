package summaries

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// A goroutine that tells a component something by a bare send stays where the component has ended meanwhile: the one loop that receives has
// returned, since its context or its stop was done, and nobody comes after it.
//
//	func (h *Hub) run(ctx context.Context) {
//		for {
//			select {
//			case s := <-h.leave:
//				delete(h.subs, s)
//			case <-ctx.Done():
//				return
//			}
//		}
//	}
//
//	go func() {
//		<-gone
//		h.leave <- s
//	}()

// hub is the one loop that receives from a channel without room, and that returns when something is over.
type hub struct {
	fn  *ssa.Function
	ret ssa.Instruction // by which it leaves then
}

// judgeGone judges the goroutines that send to a loop which may have returned.
func (r *Result) judgeGone(c *court) {
	for _, w := range r.deaf.all {
		if w.Kind != channels.Send {
			continue
		}
		h := r.deaf.hubOf(w.On().Chan)
		if h == nil || asksFirst(w) {
			continue // somebody stays, or may; it is asked before whether the loop is still there
		}
		for _, start := range r.deaf.startsOf(w.Fn, started{}, 0) {
			if _, told := c.byPos[startPos(start.at.in)]; !told && r.leftByHub(start, w, h) {
				r.addGone(c, start, w, h)
			}
		}
	}
}

// addGone enters the verdict, in the place of what was said of a send that only such goroutines make.
func (r *Result) addGone(c *court, start started, w *channels.Wait, h *hub) {
	d := r.deaf
	if v, told := c.byPos[d.at(w)]; told {
		if v.Rule != "deafwait" || slices.ContainsFunc(r.callers[w.Fn], func(s site) bool { return !d.spawns(s) }) {
			return // whoever calls it waits as well, which is told
		}
		delete(c.byPos, d.at(w))
	}
	d.behind[w] = true
	wait := Wait{Name: d.span(w).text, Src: startPos(start.at.in), In: start.at.fn}
	if w.Fn.Parent() == nil {
		wait = wait.through(w.Fn.Name(), start.call.in.Common().Pos())
	}
	name := "its receiver"
	if h.fn.Parent() == nil {
		name = h.fn.Name()
	}
	v := r.verdict("orphan", "gone", wait, name, r.reach(start.at.fn))
	v.Left = leftPos(h.ret)
	r.addStart(c, v, start.at.fn, start.at.in)
}

// leftByHub reports whether a goroutine is one of many that may still have to send when the loop has returned.
func (r *Result) leftByHub(start started, w *channels.Wait, h *hub) bool {
	fn := start.at.fn
	switch home := ssawalk.Outermost(fn); {
	case r.oneShot(fn), r.entries.TestCode(fn):
		return false // the program is over soon
	case r.startedOnce(fn, start.at.in) && !givesChannel(fn):
		return false // one for the component, which ends with it
	case slices.ContainsFunc(r.callers[h.fn], func(s site) bool { return ssawalk.Outermost(s.fn) == home }):
		return false // started with the loop, which has hardly ended when the first send comes
	case slices.ContainsFunc(w.On().Chan.Makes, func(m *ssa.MakeChan) bool {
		return ssawalk.Outermost(m.Parent()) == home && r.entries.Answered(fn) == nil
	}):
		return false // likewise, or a channel of the call, which is judged by itself
	}
	return !r.flow.joined(fn, start.at.in) // whoever waits for it waits by a wait of its own
}

// startsOf returns how goroutines come to run fn, itself or through others.
func (d *deaf) startsOf(fn *ssa.Function, by started, depth int) []started {
	var out []started
	for _, s := range d.r.callers[fn] {
		up := by
		if depth == 0 {
			up.call = s
		}
		switch {
		case d.spawns(s):
			up.at, up.from = s, s.in
			out = append(out, up)
		case s.fn != fn && depth < maxClimb:
			out = append(out, d.startsOf(s.fn, up, depth+1)...)
		}
	}
	return out
}

// hubOf returns the loop that receives what is sent to a channel and that may return before, with nobody left; nil where others may
// receive, or there is room.
func (d *deaf) hubOf(c *channels.Chan) *hub {
	if c == nil || len(c.Makes) == 0 || c.Open || c.Taken || c.Lent || c.Has(channels.Close) {
		return nil
	}
	for _, m := range c.Makes {
		if size, ok := m.Size.(*ssa.Const); !ok || size.Int64() != 0 {
			return nil // there may be room
		}
	}
	var loop *channels.Loop
	var fn *ssa.Function
	for _, op := range c.Ops {
		if op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		l := outermostLoop(op.Instr.Block())
		if l == nil || loop != nil && l.Header != loop.Header {
			return nil // one of several, such as what empties the channel at the end
		}
		loop, fn = l, op.Fn
	}
	if loop == nil || d.runsAgain(fn) {
		return nil // nobody ever receives, which is told elsewhere; whoever starts it again receives
	}
	if ret := d.leavesOver(loop); ret != nil {
		return &hub{fn: fn, ret: ret}
	}
	return nil
}

func outermostLoop(b *ssa.BasicBlock) *channels.Loop {
	l := channels.LoopOf(b)
	for l != nil && l.Outer() != nil {
		l = l.Outer()
	}
	return l
}

// runsAgain reports whether some call in sight of a function stands in a loop.
func (d *deaf) runsAgain(fn *ssa.Function) bool {
	return slices.ContainsFunc(d.r.callers[fn], func(s site) bool { return channels.LoopOf(s.in.Block()) != nil })
}

// leavesOver returns a return to which a loop is surely left when a context or a stop is done: the case of a select says so. A stop is a
// channel of struct{} that is only closed.
func (d *deaf) leavesOver(l *channels.Loop) ssa.Instruction {
	fn := l.Header.Parent()
	for _, w := range d.ops.Waits(fn) {
		sel, ok := w.Instr.(*ssa.Select)
		if !ok || !l.Blocks[sel.Block()] {
			continue
		}
		for _, op := range w.Cases {
			over := loops.IsDone(op.On) || typeset.IsSignalChan(op.On.Type()) && op.Chan != nil && !op.Chan.Has(channels.Send) && !op.Chan.Open
			if op.Kind != channels.Receive || !over {
				continue
			}
			arm := caseStart(sel, op.On)
			if arm == nil || l.Blocks[arm.Block()] {
				continue // it goes on
			}
			all := func(_, _ *ssa.BasicBlock) bool { return true }
			never := func(ssa.Instruction) bool { return false }
			if rets := reached(arm, isReturn, never, all); len(rets) > 0 {
				return rets[0]
			}
		}
	}
	return nil
}

// asksFirst reports whether a send stands behind a test of what the component remembers, or behind a look at a stop.
func asksFirst(w *channels.Wait) bool {
	for cond := range conditions(w.Instr.Block()) {
		if ofState(cond, 0) {
			return true
		}
	}
	for in := range ssawalk.Instrs(w.Fn) {
		sel, ok := in.(*ssa.Select)
		if !ok || sel.Blocking || !ssawalk.Before(sel, w.Instr) {
			continue
		}
		if slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && typeset.IsSignalChan(s.Chan.Type()) }) {
			return true
		}
	}
	return false
}
