package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// ends reports whether a runner waits only for what ends, the channel c aside: what is asked about.
func (d *deaf) ends(p runner, c *channels.Chan) bool {
	return d.endsBelow(p, c, make(map[*ssa.Function]bool))
}

func (d *deaf) endsBelow(p runner, c *channels.Chan, seen map[*ssa.Function]bool) bool {
	if !d.touch[p.fn] || seen[p.fn] {
		return true
	}
	seen[p.fn] = true
	for _, w := range d.in[p.fn] {
		if !d.ended[w] && !d.told[w] && !on(w, c) && p.asked(w.Instr) {
			return false
		}
	}
	for call := range ssawalk.Calls(p.fn) {
		if _, isGo := call.(*ssa.Go); isGo || !p.asked(call) {
			continue
		}
		if !d.outsideEnds(p.fn, call) || !d.callEnds(call, c, seen) {
			return false
		}
	}
	return true
}

// callEnds reports whether what a call runs waits only for what ends.
func (d *deaf) callEnds(call ssa.CallInstruction, c *channels.Chan, seen map[*ssa.Function]bool) bool {
	targets, _ := d.r.ctx.Targets(call.Common())
	for _, t := range targets {
		if t.Fn != nil && !d.endsBelow(runner{fn: t.Fn}, c, seen) {
			return false
		}
	}
	return true
}

func on(w *channels.Wait, c *channels.Chan) bool {
	for _, op := range w.Cases {
		if op.Chan == c {
			return true
		}
	}
	return false
}
