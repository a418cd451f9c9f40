package summaries

import (
	"slices"

	"github.com/doneby/doneby/passes/contexts"
)

// errands are commands, by their first argument, that read the files or settings of this machine, say what they found and end: nothing
// far away keeps them.
var errands = map[string][]string{
	"go": {"env", "list", "version"},
	"git": {"blame", "branch", "cat-file", "config", "describe", "diff", "log", "ls-files", "merge-base", "rev-list", "rev-parse", "show",
		"status", "symbolic-ref"},
}

// runsErrand reports whether a wait is for such a command, made here: exec.Command("git", "rev-parse", "HEAD").
func (r *Result) runsErrand(w Wait) bool {
	call := r.callAt(w.In, w.Src)
	if call == nil || !calledIs(call, "os/exec.Command") {
		return false
	}
	args := contexts.Elements(call.Common().Args[1])
	return len(args) > 0 && slices.Contains(errands[constText(call.Common().Args[0])], constText(args[0]))
}
