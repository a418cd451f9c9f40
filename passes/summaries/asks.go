package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// asksOwn reports whether a function asks its own context parameter, by Err, whether it is over, surely before an instruction or perhaps
// after it: it means to heed it, and the instruction does not.
func asksOwn(in ssa.Instruction) bool {
	for c := range ssawalk.Calls(in.Parent()) {
		call, ok := c.(*ssa.Call)
		if !ok || !isErrCall(call) || !call.Call.IsInvoke() {
			continue
		}
		p, ok := ssawalk.Source(call.Call.Value).(*ssa.Parameter)
		if ok && p.Parent() == in.Parent() && (ssawalk.Before(call, in) || ssawalk.MayFollow(in, call)) {
			return true
		}
	}
	return false
}
