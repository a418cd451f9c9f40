package summaries

import (
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/contexts"
)

// Apart is a wait of a call that no caller's context ends.
type Apart struct {
	Name    string
	For     time.Duration // its own bound; 0 when that is not known, or there is none
	Endless bool          // surely nothing ends it
}

// Apart returns what a call of fn waits for that the tables know and no caller's context ends: through an API that carries none, or
// under a context made on the spot without a bound. Pauses, waits that are meant to last, those of goroutines that nobody joins, look-ups of
// names and clean-ups are none.
func (r *Result) Apart(fn *ssa.Function, c ssa.CallInstruction) []Apart {
	if r.ctx == nil {
		return nil // not own
	}
	var out []Apart
	for _, e := range r.effects(fn, c) {
		if e.Async || e.Meant || e.Pause || e.Lookup || e.Cleanup || e.Process || !e.Known {
			continue
		}
		switch {
		case e.End == ByNothing && e.Own:
			out = append(out, Apart{Name: e.Name, For: e.For})
		case e.End == ByNothing && !e.Unsure, e.End == ByParam && !e.Own && endless(e.set):
			out = append(out, Apart{Name: e.Name, Endless: true})
		}
	}
	return out
}

// endless reports whether a context is surely one that no caller ends and that has no bound.
func endless(s contexts.Set) bool {
	return len(s) > 0 && !s.Any(func(o contexts.Origin) bool {
		return o.Bound.Own || o.Kind != contexts.Root && o.Kind != contexts.Uncancelled && o.Kind != contexts.Never
	})
}
