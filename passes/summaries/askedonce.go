package summaries

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// A function that only asks its context whether it is over before it begins to read looks as if it could be cancelled. The wait is in the
// read.
//
//	func (s *stream) Read(ctx context.Context) (string, error) {
//		if err := ctx.Err(); err != nil {
//			return "", err
//		}
//		return s.in.ReadString('\n')
//	}

// judgeAskedOnce judges the first read of fn that does not hear its context, where fn has no other use for that than to ask before.
func (r *Result) judgeAskedOnce(c *court, fn *ssa.Function) {
	i := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return typeset.IsContext(p.Type()) })
	if i < 0 || r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) {
		return // nothing to ask; a double; part of ending something
	}
	asked, how := onlyAsked(fn.Params[i])
	if asked == nil {
		return // never, or it is used for more
	}
	for call := range ssawalk.Calls(fn) {
		if !ssawalk.Before(asked, call) || r.flow.afterDone(call) {
			continue
		}
		name := cmp.Or(r.deafRead(call), r.readsBelow(call))
		if _, told := c.byPos[call.Common().Pos()]; name == "" || told {
			continue // it is bounded, released, or may read what is there; a loop asks between
		}
		v := r.verdict("deafctx", "once", Wait{Name: name, Src: call.Common().Pos(), In: fn}, name, r.reach(fn))
		v.Subject = how
		c.add(v)
		return
	}
}

// onlyAsked returns where a context is first asked whether it is over, and how, when nothing else is ever done with it.
func onlyAsked(ctx *ssa.Parameter) (first ssa.Instruction, how string) {
	note := func(in ssa.Instruction, by string) {
		if first == nil || ssawalk.Before(in, first) {
			first, how = in, by
		}
	}
	for _, ref := range *ctx.Referrers() {
		call, ok := ref.(*ssa.Call)
		switch {
		case isDebug(ref):
		case ok && isErrCall(call):
			note(call, "Err")
		case ok && loops.IsDone(call):
			sel := polledBy(call)
			if sel == nil {
				return nil, ""
			}
			note(sel, "Done")
		default:
			return nil, ""
		}
	}
	return first, how
}

// polledBy returns the select with a default that is all that a Done channel is used for, or nil.
func polledBy(done *ssa.Call) ssa.Instruction {
	var by ssa.Instruction
	for _, ref := range *done.Referrers() {
		sel, ok := ref.(*ssa.Select)
		if isDebug(ref) {
			continue
		}
		if !ok || sel.Blocking || len(sel.States) != 1 || sel.States[0].Dir != types.RecvOnly {
			return nil
		}
		by = sel
	}
	return by
}

func isDebug(in ssa.Instruction) bool {
	_, ok := in.(*ssa.DebugRef)
	return ok
}
