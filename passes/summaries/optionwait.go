package summaries

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// waitsWith is the wait of a function that takes no time unless it is given the option that its row names, where it is given it: a
// grpc.DialContext that is to block, or a grpc.Dial, which could be given a context in another form.
func (r *Result) waitsWith(c ssa.CallInstruction, t contexts.Target, row knowledge.Row) (knowledge.Row, bool) {
	made, ok := c.(*ssa.Call)
	ctx := typeset.ContextParam(t.Obj.Signature())
	if !ok || row.Unless == "" || ctx < 0 && (row.Use == "" || r.limitedByOption(t)) || r.ctx.Excepted(made, row.Unless) != contexts.LimitOwn {
		return row, false
	}
	row.Verb, row.Unless = knowledge.Waits, ""
	if ctx >= 0 {
		row.Ctx = knowledge.Place{Kind: knowledge.Param, Index: ctx}
	}
	return row, true
}

// limitedByOption reports whether one of the options of a call is a timeout by its name, such as grpc.WithTimeout, or may be.
func (r *Result) limitedByOption(t contexts.Target) bool {
	opts, all := r.ctx.Options(t)
	return !all || slices.ContainsFunc(opts, func(o ssa.Value) bool {
		c, ok := o.(*ssa.Call)
		return !ok || strings.Contains(calleeName(c), "Timeout")
	})
}
