package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/loops"
)

// leaves reports whether fn waits for the goroutine that it starts at c in nothing but selects that a timer ends too, and has no use for
// what comes from it: a broadcast that is given 50 ms, a flush before the end. How long the goroutine goes on is its own affair.
func (f *flow) leaves(fn *ssa.Function, c ssa.CallInstruction) bool {
	chans := f.chansOf(c)
	found := false
	for in := range ssawalk.Instrs(fn) {
		if !f.joins(in, chans) {
			continue
		}
		sel, ok := in.(*ssa.Select)
		if !ok || !hasTimer(sel) || usesReceived(sel) {
			return false
		}
		found = true
	}
	return found
}

// left reports whether fn only ever runs in goroutines that their starters leave behind.
func (f *flow) left(fn *ssa.Function) bool {
	for _, s := range f.r.callers[fn] {
		if _, isGo := s.in.(*ssa.Go); !isGo || !f.leaves(s.fn, s.in) {
			return false
		}
	}
	return len(f.r.callers[fn]) > 0
}

func hasTimer(sel *ssa.Select) bool {
	for _, s := range sel.States {
		if timer, _ := loops.Ticks(s.Chan); timer && s.Dir == types.RecvOnly {
			return true
		}
	}
	return false
}

// usesReceived reports whether something is done with a value that a select has received.
func usesReceived(sel *ssa.Select) bool {
	const values = 2 // before them stand the case and whether the channel was open
	for _, ref := range *sel.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index >= values && len(*e.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// leftBehind marks effects as those of a goroutine that its starter leaves behind.
func leftBehind(effects []effect, yes bool) []effect {
	for i := range effects {
		effects[i].Left = effects[i].Left || yes
	}
	return effects
}
