package summaries

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// A goroutine that goes through a channel until it is closed stays where a way out of the function that started it leaves the channel open:
// an early return, or a helper that closes it only when all went well.
//
//	for range 4 {
//		go work(keys) // for key := range keys
//	}
//	if err := list(keys); err != nil {
//		return err
//	}
//	close(keys)

// open is a channel that one call makes and is alone to close, and a goroutine of that call which goes through it.
type open struct {
	r      *Result
	made   *ssa.MakeChan
	wait   *channels.Wait
	start  started
	direct map[ssa.Instruction]bool            // what closes it
	sites  map[ssa.Instruction][]*ssa.Function // the calls that lead to a close, and to which functions
	known  map[*ssa.Function][]leftWay         // see ways
	chans  map[ssa.Value]bool                  // what the goroutine has of channels: who receives from one waits for it
}

// judgeOpen judges the goroutines that go through a channel which a return leaves open.
func (r *Result) judgeOpen(c *court) {
	for _, w := range r.deaf.all {
		o := r.openOf(w)
		if o == nil {
			continue
		}
		at := startPos(o.start.at.in)
		if _, told := c.byPos[at]; told {
			continue // of what else it waits for
		}
		if left := o.leftAt(); left != nil {
			o.add(c, left)
		}
	}
}

// openOf returns the channel that a wait in a goroutine goes through; nil for any other wait.
func (r *Result) openOf(w *channels.Wait) *open {
	op := w.On()
	if op == nil || op.Chan == nil || !throughAll(w) {
		return nil // it waits for one thing, or for something else
	}
	ch := op.Chan
	if len(ch.Makes) != 1 || ch.Open || ch.Lent || !ch.Has(channels.Close) {
		return nil // others have it too, or it is another call's; that nobody ever closes it is told elsewhere
	}
	made := ch.Makes[0]
	fn := made.Parent()
	if r.oneShot(fn) || r.entries.TestCode(fn) {
		return nil // the program is over soon
	}
	start := r.deaf.startsCaller(w.Fn, fn, started{}, 0)
	if start.from == nil || !r.deaf.spawns(start.at) {
		return nil // of the call's own goroutine, of one that somebody else starts, or that a helper starts which is given what it runs
	}
	o := &open{r: r, made: made, wait: w, start: start, direct: make(map[ssa.Instruction]bool),
		sites: make(map[ssa.Instruction][]*ssa.Function), known: make(map[*ssa.Function][]leftWay)}
	for _, op := range ch.Ops {
		if op.Kind != channels.Close {
			continue
		}
		o.direct[op.Instr] = true
		if !o.within(op.Fn, 0) {
			return nil // somebody else may close it, some day
		}
	}
	o.chans = r.flow.chansOf(start.from)
	return o
}

// throughAll reports whether a wait takes what comes until the channel is closed: a range, or a receive in a loop that asks for that.
func throughAll(w *channels.Wait) bool {
	if w.Kind == channels.Range {
		return true
	}
	in, ok := w.Instr.(*ssa.UnOp)
	return ok && w.Kind == channels.Receive && in.CommaOk && channels.LoopOf(in.Block()) != nil
}

// within reports whether fn runs only below the function that makes the channel, and notes the calls on the way.
func (o *open) within(fn *ssa.Function, depth int) bool {
	if fn == o.made.Parent() {
		return true
	}
	callers := o.r.callers[fn]
	if obj := fn.Object(); len(callers) == 0 || depth > maxClimb || obj != nil && obj.Exported() {
		return false
	}
	for _, s := range callers {
		if slices.Contains(o.sites[s.in], fn) {
			continue
		}
		o.sites[s.in] = append(o.sites[s.in], fn)
		if !o.within(s.fn, depth+1) {
			return false
		}
	}
	return true
}

// leftAt returns the first return by which the call leaves the goroutine and the channel open, nil when there is none.
func (o *open) leftAt() ssa.Instruction {
	from, made := o.start.from, o.made
	isStart := func(in ssa.Instruction) bool { return in == ssa.Instruction(from) }
	if len(reached(after(made), isStart, o.walk(nil).closes, anyWay)) == 0 {
		return nil // it is closed by then, or will be at the end
	}
	walk := o.walk(from.Block())
	again := func(in ssa.Instruction) bool { return in == ssa.Instruction(made) || walk.ends(in) }
	first := earliest(reached(after(from), isReturn, again, walk.take))
	if first == nil {
		return nil
	}
	for call, ways := range walk.failed {
		if ssawalk.Before(call, first) {
			return ways[0].ret // what the return passes on: here the close is missing
		}
	}
	return first
}

// add enters the verdict, in the place of what was said of the same wait without knowing who closes the channel.
func (o *open) add(c *court, left ssa.Instruction) {
	d, w := o.r.deaf, o.wait
	if v, told := c.byPos[d.at(w)]; told && v.Rule == "deafwait" {
		delete(c.byPos, d.at(w))
	}
	fn := o.start.at.fn
	wait := Wait{Name: d.span(w).text, Src: startPos(o.start.at.in), In: fn}
	if w.Fn.Parent() == nil {
		wait = wait.through(w.Fn.Name(), o.start.call.in.Common().Pos())
	}
	name := wait.Name[strings.LastIndexByte(wait.Name, ' ')+1:]
	v := o.r.verdict("orphan", "open", wait, name, o.r.reach(fn))
	v.Left = leftPos(left)
	o.r.addStart(c, v, fn, o.start.at.in)
}
