package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// judgeStarts judges the go statements that no wait for another goroutine has given a verdict on.
func (r *Result) judgeStarts(c *court) {
	for _, fn := range r.ir.Funcs {
		if r.ir.InTest(fn) || r.entries.TestCode(fn) {
			continue
		}
		for call := range ssawalk.Calls(fn) {
			start, ok := call.(*ssa.Go)
			if !ok {
				continue
			}
			if v, told := c.byPos[start.Pos()]; !told || v.Kind == string(foreigns) {
				r.judgePipe(c, fn, start)
				r.judgeSubscription(c, fn, start)
			}
			if _, told := c.byPos[start.Pos()]; !told {
				r.judgeOutlives(c, fn, start)
				r.judgePerCall(c, fn, start)
				r.judgeCanceller(c, fn, start)
			}
		}
	}
}

// judgeOutlives judges work for a request that nobody waits for, under the request's own context: when the response is out, that
// is over, and the work with it (net/http: Request.Context; a gRPC server ends the context of a call that has returned).
func (r *Result) judgeOutlives(c *court, fn *ssa.Function, start *ssa.Go) {
	w, p := r.cutShort(fn, start)
	switch {
	case p == nil, !r.respondsAfter(fn, start, p, 0):
		return // nothing in it ends by a context that is over with the response
	case r.flow.joined(fn, start), r.deaf.reports(start):
		return // somebody waits for it, or learns from it that it is through
	case r.deaf.keepsCompany(start):
		return // it is there for as long as the request is: it asks for its end, or goes round
	}
	v := r.verdict("orphan", "outlives", w, w.Name, nil)
	for _, carrier := range r.reach(fn) {
		if carrier.Param == p {
			v.Ctx, v.Carrier = carrier.Expr, carrier
		}
	}
	if v.Ctx == "" {
		return // a framework's value whose context ends with nothing
	}
	r.addStart(c, v, fn, start)
}

// cutShort returns the nearest wait of a goroutine that surely ends by the context of a parameter around the go statement, and that
// parameter; nil where there is none.
func (r *Result) cutShort(fn *ssa.Function, start *ssa.Go) (nearest Wait, of *ssa.Parameter) {
	for _, e := range r.effects(fn, start) {
		if e.End != ByParam || e.Meant || e.Deaf || e.Local || e.Cleanup || e.Pause {
			continue // meant to last as long as the request, or no work
		}
		p := onlyParam(e.set)
		if p == nil {
			continue
		}
		if len(e.Via) > 0 && isFuncLiteral(start) { // the goroutine's own body is no step
			e.Via, e.Path = e.Via[1:], e.Path[1:]
		}
		if of == nil || e.Known && !nearest.Known || e.Known == nearest.Known && less(e.Wait, nearest) {
			nearest, of = e.Wait, p
		}
	}
	return nearest, of
}

func isFuncLiteral(start *ssa.Go) bool {
	fn, _ := ssawalk.Function(start.Call.Value)
	return fn != nil && fn.Parent() != nil
}

// onlyParam returns the parameter that all origins of a context are, or nil.
func onlyParam(s contexts.Set) *ssa.Parameter {
	var p *ssa.Parameter
	for _, o := range s {
		if o.Kind != contexts.Param || p != nil && o.Param != p {
			return nil
		}
		p = o.Param
	}
	return p
}

// respondsAfter reports whether the context of p is over when the response to some request is out, and nothing in sight keeps the
// response back after an instruction of fn: fn answers the request itself, or is called by what does.
func (r *Result) respondsAfter(fn *ssa.Function, in ssa.CallInstruction, p *ssa.Parameter, depth int) bool {
	if p.Parent() != fn || r.deaf.staysOn(fn, in) {
		return false // of a literal whose time is not known; the request lasts as long as something else does
	}
	if p == r.entries.Answered(fn) {
		return true
	}
	if depth == maxHelpers {
		return false
	}
	for _, s := range r.callers[fn] {
		if _, plain := s.in.(*ssa.Call); !plain {
			continue
		}
		targets, _ := r.ctx.Targets(s.in.Common())
		for _, t := range targets {
			if t.Fn != fn {
				continue
			}
			if q := onlyParam(r.argument(t, p)); q != nil && r.respondsAfter(s.fn, s.in, q, depth+1) {
				return true
			}
		}
	}
	return false
}

// maxHelpers is how many functions may stand between a handler and the go statement.
const maxHelpers = 2

// staysOn reports whether fn, after an instruction, waits for other goroutines, goes round, or calls what is meant to last, as a
// handler does that streams: how long the response takes is then somebody else's to say. So it is for a connection that was taken over, and
// for what is written through a pipe.
func (d *deaf) staysOn(fn *ssa.Function, in ssa.CallInstruction) bool {
	if takenOver(in, upgrades) || callsPipe(fn) {
		return true
	}
	for _, w := range d.ops.Waits(fn) {
		if w.Kind != channels.Sleep && ssawalk.MayFollow(in, w.Instr) {
			return true
		}
	}
	for _, b := range fn.Blocks {
		if l := channels.LoopOf(b); l != nil && goesRound(l) && (b == in.Block() || ssawalk.Reaches(in.Block(), b)) {
			return true
		}
	}
	for c := range ssawalk.Calls(fn) {
		if c == in || !ssawalk.MayFollow(in, c) {
			continue
		}
		for _, e := range d.r.effects(fn, c) {
			if !e.Async && (e.Meant || e.Deaf) {
				return true
			}
		}
	}
	return false
}

// goesRound reports whether a loop is neither over what is there nor counted.
func goesRound(l *channels.Loop) bool {
	if l.Header.Comment == "rangechan.loop" {
		return true
	}
	return !l.Collection() && bound(l) == nil
}

// reports reports whether a goroutine sends to or closes a channel, or is a member of a group that its starter has: somebody may wait for
// it. A component's group, for which only the component's end waits, keeps no response back.
func (d *deaf) reports(start *ssa.Go) bool {
	for _, fn := range d.bodies(start, maxHelpers) {
		for _, c := range d.ops.Chans(fn) {
			if d.does(fn, c, channels.Send) || d.does(fn, c, channels.Close) || d.does(fn, c, channels.Wake) {
				return true
			}
			if d.does(fn, c, channels.Done) && !d.waitedAtEnd(c) {
				return true
			}
		}
	}
	return false
}

// waitedAtEnd reports whether a group is a component's, and only what ends something waits for it.
func (d *deaf) waitedAtEnd(c *channels.Chan) bool {
	for _, o := range c.Ops {
		if o.Kind == channels.Group && !d.r.flow.cleanupFunc(o.Fn) {
			return false
		}
	}
	return c.Kept
}

// keepsCompany reports whether a goroutine, or what it calls, asks whether a context is over, or goes round in step with others: over
// what a channel brings, with a pause, or for ever.
func (d *deaf) keepsCompany(start *ssa.Go) bool {
	for _, fn := range d.bodies(start, 1) {
		for c := range ssawalk.Calls(fn) {
			if asksEnd(c) {
				return true
			}
		}
		for _, w := range d.ops.Waits(fn) {
			if channels.LoopOf(w.Instr.Block()) != nil {
				return true
			}
		}
		for _, b := range fn.Blocks {
			if l := channels.LoopOf(b); l != nil && !l.Ends() {
				return true
			}
		}
	}
	return false
}

// bodies returns what a goroutine runs in this package: the function that is started, its literals, and what they call, so many calls
// deep.
func (d *deaf) bodies(start *ssa.Go, deep int) []*ssa.Function {
	var out []*ssa.Function
	seen := make(map[*ssa.Function]bool)
	var visit func(fn *ssa.Function, depth int)
	visit = func(fn *ssa.Function, depth int) {
		if fn == nil || seen[fn] || len(fn.Blocks) == 0 {
			return
		}
		seen[fn] = true
		out = append(out, fn)
		for _, lit := range fn.AnonFuncs {
			visit(lit, depth)
		}
		if depth == deep {
			return
		}
		for c := range ssawalk.Calls(fn) {
			targets, _ := d.r.ctx.Targets(c.Common())
			for _, t := range targets {
				visit(t.Fn, depth+1)
			}
		}
	}
	targets, _ := d.r.ctx.Targets(start.Common())
	for _, t := range targets {
		visit(t.Fn, 0)
	}
	return out
}
