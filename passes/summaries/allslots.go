package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// takesAllSlots reports whether a call takes all slots of a weighted semaphore that its function has made: it waits for those who have one,
// as for a group, and that they give theirs back does not depend on the context by which it waits.
func takesAllSlots(c ssa.CallInstruction, t contexts.Target) bool {
	if !calledIs(c, "(*golang.org/x/sync/semaphore.Weighted).Acquire") {
		return false
	}
	made, ok := ssawalk.Source(t.Recv()).(*ssa.Call)
	if !ok || ssawalk.Outermost(made.Parent()) != ssawalk.Outermost(c.Parent()) || !calledIs(made, "golang.org/x/sync/semaphore.NewWeighted") {
		return false // one that others have slots of
	}
	all, taken := ssawalk.Strip(made.Call.Args[0]), ssawalk.Strip(t.Param(1))
	if x, ok := all.(*ssa.Const); ok {
		y, ok := taken.(*ssa.Const)
		return ok && x.Int64() == y.Int64() && x.Int64() > 1
	}
	return same(all, taken)
}
