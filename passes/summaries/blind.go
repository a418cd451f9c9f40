package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/contexts"
)

// unanswered reports whether a call may wait and nothing can be told of what ends the wait.
func (r *Result) unanswered(c ssa.CallInstruction, effects []effect) bool {
	for _, e := range effects {
		if e.End == ByParam && e.set.Has(contexts.Unknown) {
			return true // under a context of which nothing is known
		}
	}
	_, told := r.ctx.Targets(c.Common())
	return !told && len(effects) == 0 // a function value that cannot be told, and whose signature says nothing
}
