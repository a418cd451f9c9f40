package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// A request that is accepted is answered: who asks sends a request on a channel without room, and receives from the channel that came
// with it; who serves receives the request, only computes, and sends the answer, or closes its channel, on each way. Neither waits for
// the other beyond that.
//
//	select {
//	case s.asks <- ask{key, answer}:
//	case <-ctx.Done():
//		return ctx.Err()
//	}
//	return <-answer
//
// Once the request is taken the context is not asked again, and need not be.

// exchanged reports whether a wait is for the other half of an exchange that has begun: a receive of an answer after its request was
// taken, or the send of an answer whose asker has nothing else to do than to receive it.
func (d *deaf) exchanged(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil || c.Open && w.Kind == channels.Receive || c.Taken && w.Kind == channels.Send {
		return false // others may answer, or ask
	}
	mine, theirs := channels.Send, channels.Receive
	if w.Kind == channels.Send {
		mine, theirs = channels.Receive, channels.Send
	}
	for _, r := range d.ops.Chans(w.Fn) {
		if len(r.Makes) == 0 || r.Room() != 0 || r.Open && theirs == channels.Send || r.Taken && theirs == channels.Receive {
			continue // nothing says when a request is taken, or who takes it
		}
		if d.begins(w, r, mine) && d.completes(w, r, theirs) {
			return true
		}
	}
	return false
}

// begins reports whether a wait comes after its own half of what is handed over on the channel of requests.
func (d *deaf) begins(w *channels.Wait, r *channels.Chan, mine channels.Kind) bool {
	return slices.ContainsFunc(r.Ops, func(op *channels.Op) bool {
		if op.Fn != w.Fn || op.Kind != mine {
			return false
		}
		from := surely(op)
		return from != nil && (from == w.Instr || ssawalk.Before(from, w.Instr))
	})
}

// completes reports whether each who does the other half on the channel of requests surely goes on to do what the wait is for, and only
// computes in between.
func (d *deaf) completes(w *channels.Wait, r *channels.Chan, theirs channels.Kind) bool {
	c := w.On().Chan
	answer := []channels.Kind{channels.Send, channels.Close}
	if w.Kind == channels.Send {
		answer = []channels.Kind{channels.Receive}
	}
	found := false
	for _, op := range r.Ops {
		if op.Kind == channels.Range && theirs == channels.Receive {
			return false // its rounds are not looked at
		}
		if op.Kind != theirs || r == c && op.Fn == w.Fn {
			continue // of one channel for both, the other half is another's
		}
		from := start(op)
		if from == nil || !d.begun(op.Fn, from, c, answer) {
			return false
		}
		found = true
	}
	return found
}

// begun reports whether from an instruction on, itself included, a function surely does a thing to a channel, and waits for nothing before.
func (d *deaf) begun(fn *ssa.Function, from ssa.Instruction, c *channels.Chan, ks []channels.Kind) bool {
	var does []ssa.Instruction
	for _, op := range c.Ops {
		if op.Fn == fn && slices.Contains(ks, op.Kind) {
			does = append(does, op.Instr)
		}
	}
	if slices.Contains(does, from) {
		return true // at once
	}
	yes, by := d.certain(runner{fn: fn, from: from}, c, ks, 0)
	return yes && d.straight(fn, from, append(does, by...), c)
}

// straight reports whether on the ways from an instruction to the first of some others nothing waits, the channel c aside.
func (d *deaf) straight(fn *ssa.Function, from ssa.Instruction, to []ssa.Instruction, c *channels.Chan) bool {
	waits := make(map[ssa.Instruction]bool)
	for _, w := range d.ops.Waits(fn) {
		waits[w.Instr] = !on(w, c)
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var walk func(b *ssa.BasicBlock, i int) bool
	walk = func(b *ssa.BasicBlock, i int) bool {
		for _, in := range b.Instrs[i:] {
			if slices.Contains(to, in) {
				return true
			}
			call, ok := ssawalk.AsCall(in)
			_, isGo := in.(*ssa.Go)
			if waits[in] || ok && !isGo && len(d.r.effects(fn, call)) > 0 {
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if !walk(s, 0) {
					return false
				}
			}
		}
		return true
	}
	return walk(from.Block(), indexIn(from.Block(), from))
}
