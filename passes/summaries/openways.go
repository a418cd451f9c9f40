package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// openWalk goes through a function, past what may leave the channel open.
type openWalk struct {
	*leftWalk
	o *open
}

func (o *open) walk(asked *ssa.BasicBlock) *openWalk { return &openWalk{newLeftWalk(asked), o} }

// ends reports whether an instruction closes the channel on each way, now or at the end, or waits for the goroutine.
func (w *openWalk) ends(in ssa.Instruction) bool {
	o := w.o
	return w.closes(in) || o.r.waitsFor(in, o.chans)
}

func (w *openWalk) closes(in ssa.Instruction) bool {
	if w.o.direct[in] {
		return true
	}
	below := w.o.sites[in]
	if len(below) == 0 {
		return false
	}
	if _, late := in.(*ssa.Defer); late {
		return true // whether it closes the channel then is not asked
	}
	targets, all := w.o.r.ctx.Targets(in.(ssa.CallInstruction).Common())
	if !all || len(targets) != 1 || !slices.Equal(below, []*ssa.Function{targets[0].Fn}) {
		return true // what is given a function may call it, or have it called
	}
	ways := w.o.ways(targets[0].Fn)
	if call, ok := in.(*ssa.Call); ok && len(ways) > 0 {
		w.failed[call] = ways
	}
	return len(ways) == 0
}

// ways returns the returns of a function that leave the channel open, in source order.
func (o *open) ways(fn *ssa.Function) []leftWay {
	if known, ok := o.known[fn]; ok {
		return known
	}
	o.known[fn] = nil // a helper that calls itself is taken to close it
	w := o.walk(nil)
	var out []leftWay
	for _, ret := range reached(fn.Blocks[0].Instrs[0], isReturn, w.ends, w.take) {
		out = append(out, w.waysBy(ret.(*ssa.Return))...)
	}
	slices.SortFunc(out, func(a, b leftWay) int { return int(a.ret.Pos() - b.ret.Pos()) })
	o.known[fn] = out
	return out
}

// waitsBelow reports whether a call runs something that waits for a group, now or at the end.
func (d *deaf) waitsBelow(in ssa.Instruction, depth int) bool {
	c, ok := ssawalk.AsCall(in)
	if _, isGo := in.(*ssa.Go); !ok || isGo || depth > maxClimb {
		return false
	}
	targets, _ := d.r.ctx.Targets(c.Common())
	for _, t := range targets {
		if t.Fn == nil {
			continue
		}
		if slices.ContainsFunc(d.ops.Waits(t.Fn), func(w *channels.Wait) bool { return w.Kind == channels.Group }) {
			return true
		}
		for below := range ssawalk.Calls(t.Fn) {
			if d.waitsBelow(below, depth+1) {
				return true
			}
		}
	}
	return false
}
