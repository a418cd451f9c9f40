package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// certain reports whether a runner does a thing of these kinds to the channel on each way to its end, and by which
// instructions. A case of a select stands for the way that it opens; a panic is no end.
func (d *deaf) certain(p runner, c *channels.Chan, ks []channels.Kind, depth int) (bool, []ssa.Instruction) {
	done := make(map[ssa.Instruction]bool)
	for _, op := range c.Ops {
		if op.Fn != p.fn || !slices.Contains(ks, op.Kind) {
			continue
		}
		if in := surely(op); in != nil {
			done[in] = true
		}
	}
	walk := &certainly{d: d, c: c, ks: ks, done: done, depth: depth, seen: make(map[*ssa.BasicBlock]bool)}
	if len(p.fn.Blocks) == 0 {
		return false, nil
	}
	b, i := p.fn.Blocks[0], 0
	if p.from != nil {
		b, i = p.from.Block(), indexIn(p.from.Block(), p.from)+1
	}
	return walk.always(b, i) && len(walk.met) > 0, walk.met
}

// surely returns the instruction that stands for an op: of one in a loop that control leaves by its header only, the end of
// the header, since each round has its part; of a case of a select, the first of what runs then.
func surely(op *channels.Op) ssa.Instruction {
	if sel, ok := op.Instr.(*ssa.Select); ok {
		return caseStart(sel, op.On)
	}
	l := channels.LoopOf(op.Instr.Block())
	if l == nil || l.Leaves() {
		return op.Instr
	}
	h := l.Header
	return h.Instrs[len(h.Instrs)-1]
}

// start returns the instruction from which on an op is done: itself, or the first of what its case of a select runs; nil when that is not
// told.
func start(op *channels.Op) ssa.Instruction {
	if sel, ok := op.Instr.(*ssa.Select); ok {
		return caseStart(sel, op.On)
	}
	return op.Instr
}

// caseStart returns the first instruction of the case of a select on a channel, or nil.
func caseStart(sel *ssa.Select, on ssa.Value) ssa.Instruction {
	for i, s := range sel.States {
		if arm := ssawalk.Arm(sel, i); s.Chan == on && arm != nil && len(arm.Preds) == 1 {
			return arm.Instrs[0]
		}
	}
	return nil
}

// certainly walks the ways from a place to the end of a function.
type certainly struct {
	d     *deaf
	c     *channels.Chan
	ks    []channels.Kind
	done  map[ssa.Instruction]bool
	depth int
	seen  map[*ssa.BasicBlock]bool
	met   []ssa.Instruction // by which instructions some way does it
}

// always reports whether each way from the i-th instruction of b does it before the end.
func (w *certainly) always(b *ssa.BasicBlock, i int) bool {
	for ; i < len(b.Instrs); i++ {
		in := b.Instrs[i]
		if w.done[in] || w.calls(in) {
			w.met = append(w.met, in)
			return true
		}
		if _, ok := in.(*ssa.Return); ok {
			return false
		}
	}
	for _, s := range b.Succs {
		if !w.seen[s] {
			w.seen[s] = true
			if !w.always(s, 0) {
				return false
			}
		}
	}
	return true
}

// calls reports whether an instruction calls, now or when the function returns, a function that does it.
func (w *certainly) calls(in ssa.Instruction) bool {
	c, ok := ssawalk.AsCall(in)
	if _, isGo := in.(*ssa.Go); !ok || isGo || w.depth >= maxClimb {
		return false
	}
	targets, all := w.d.r.ctx.Targets(c.Common())
	for _, t := range targets {
		if t.Fn == nil {
			return false
		}
		if yes, _ := w.d.certain(runner{fn: t.Fn}, w.c, w.ks, w.depth+1); !yes {
			return false
		}
	}
	return all && len(targets) > 0
}
