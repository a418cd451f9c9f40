package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// receivesLess returns a return that the function which starts several senders comes to after fewer receives than there are senders, each
// of which surely sends; nil when there is none.
//
//	errs := make(chan error)
//	go pipe(a, b, errs)
//	go pipe(b, a, errs)
//	err := <-errs
func (u *unheard) receivesLess() ssa.Instruction {
	fn := u.start.at.fn
	if u.ch.Lent || u.start.from != u.start.at.in || u.r.startedOnce(fn, u.start.from) {
		return nil // others receive as well; one for the component, as far as can be told
	}
	starts := u.senders(fn)
	if len(starts) < 2 || u.start.from != ssa.CallInstruction(starts[0]) || !u.plainly(fn) {
		return nil // one send and one receive; told at the first; who receives cannot be counted
	}
	last := starts[len(starts)-1]
	if slices.ContainsFunc(starts, func(g *ssa.Go) bool { return g != last && !ssawalk.Before(g, last) }) {
		return nil // one of them is on another way
	}
	return u.leftAfter(last.Block(), indexIn(last.Block(), last)+1, len(starts), make(map[passed]bool))
}

// plainly reports whether all receives are in the function that starts the senders, and none of them in a loop or at its end.
func (u *unheard) plainly(fn *ssa.Function) bool {
	for _, op := range u.ch.Ops {
		if op.Kind == channels.Send && op.Fn != fn {
			continue
		}
		if op.Kind != channels.Receive || op.Fn != fn || op.Deferred() || channels.LoopOf(op.Instr.Block()) != nil {
			return false
		}
	}
	return true
}

// passed is a block that is come to with so many sends still to be received.
type passed struct {
	b    *ssa.BasicBlock
	left int
}

// leftAfter returns the first return that is come to from an instruction of a block while sends are still to be received, without a wait
// for the goroutines by other means.
func (u *unheard) leftAfter(b *ssa.BasicBlock, at, left int, seen map[passed]bool) ssa.Instruction {
	chans := u.r.flow.chansOf(u.start.from)
	for _, in := range b.Instrs[at:] {
		switch {
		case slices.ContainsFunc(u.ch.Ops, func(op *channels.Op) bool { return op.Instr == in }):
			left-- // a select may receive from somebody else
		case u.r.waitsFor(in, chans):
			return nil
		case isReturn(in):
			return in
		}
		if left == 0 {
			return nil
		}
	}
	for _, next := range b.Succs {
		if to := (passed{next, left}); !seen[to] {
			seen[to] = true
			if ret := u.leftAfter(next, 0, left, seen); ret != nil {
				return ret
			}
		}
	}
	return nil
}

// senders returns the go statements of fn whose goroutine sends to the channel, none where one of them is made again and again.
func (u *unheard) senders(fn *ssa.Function) []*ssa.Go {
	var out []*ssa.Go
	for in := range ssawalk.Instrs(fn) {
		g, ok := in.(*ssa.Go)
		if !ok || !u.startsSender(g) {
			continue
		}
		if channels.LoopOf(g.Block()) != nil {
			return nil
		}
		out = append(out, g)
	}
	return out
}

// startsSender reports whether a go statement starts a function that sends to the channel once on each way to its end.
func (u *unheard) startsSender(g *ssa.Go) bool {
	body, _ := ssawalk.Function(g.Call.Value)
	if body == nil || len(body.Blocks) == 0 {
		return false
	}
	sends := func(in ssa.Instruction) bool {
		return slices.ContainsFunc(u.ch.Ops, func(op *channels.Op) bool { return op.Kind == channels.Send && op.Instr == in })
	}
	var send *channels.Wait
	for _, w := range u.r.deaf.ops.Waits(body) {
		if sends(w.Instr) {
			if w.Kind != channels.Send || channels.LoopOf(w.Instr.Block()) != nil || u.r.deaf.hasServed(w) {
				return false
			}
			send = w
		}
	}
	return send != nil && len(reached(body.Blocks[0].Instrs[0], isReturn, sends, anyWay)) == 0
}
