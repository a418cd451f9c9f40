package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// joined reports whether fn waits for the goroutine that it starts at c: it waits for a group, or receives from a channel
// that the goroutine has, or hands that channel out.
func (f *flow) joined(fn *ssa.Function, c ssa.CallInstruction) bool {
	chans := f.chansOf(c)
	found := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			found = found || f.joins(in, chans)
		}
	}
	return found
}

// chansOf returns the channels that are given to what a call runs, or captured by it.
func (f *flow) chansOf(c ssa.CallInstruction) map[ssa.Value]bool {
	chans := make(map[ssa.Value]bool)
	note := func(v ssa.Value) {
		if v = f.r.ctx.Variable(v); isChan(v.Type()) {
			chans[v] = true
		}
	}
	for _, a := range c.Common().Args {
		note(a)
	}
	if mc, ok := c.Common().Value.(*ssa.MakeClosure); ok {
		for _, b := range mc.Bindings {
			note(b)
		}
	}
	return chans
}

// loose reports whether fn only ever runs in goroutines that nobody joins: a literal that is started so, in whatever literal,
// or a function that only such go statements in sight call.
func (f *flow) loose(fn *ssa.Function) bool {
	if yes, ok := f.unjoined[fn]; ok {
		return yes
	}
	f.unjoined[fn] = false
	yes := f.isLoose(fn)
	f.unjoined[fn] = yes
	return yes
}

func (f *flow) isLoose(fn *ssa.Function) bool {
	if fn.Parent() != nil && (f.loose(fn.Parent()) || onlyReturned(fn)) {
		return true
	}
	callers := f.r.callers[fn]
	if obj := fn.Object(); len(callers) == 0 || obj != nil && obj.Exported() {
		return false
	}
	for _, s := range callers {
		if !f.startsLoose(s, fn) && !f.loose(s.fn) {
			return false
		}
	}
	return true
}

// onlyReturned reports whether a literal without a context of its own is only handed back to the caller, who runs it when
// this call has long returned: the release of what was taken, a stop.
func onlyReturned(lit *ssa.Function) bool {
	if typeset.ContextParam(lit.Signature) >= 0 || typeset.RequestParam(lit.Signature) >= 0 {
		return false
	}
	found := false
	for _, mc := range closures(lit) {
		for _, ref := range *mc.Referrers() {
			if _, ok := ref.(*ssa.Return); !ok {
				return false
			}
			found = true
		}
	}
	return found
}

// startsLoose reports whether a call starts fn in a goroutine that nobody joins, by a go statement or a function that the
// tables know to start what it is given.
func (f *flow) startsLoose(s site, fn *ssa.Function) bool {
	if _, ok := s.in.(*ssa.Go); ok {
		return !f.joined(s.fn, s.in)
	}
	targets, _ := f.r.ctx.Targets(s.in.Common())
	for _, t := range targets {
		row, ok := f.r.ctx.Row(t.Obj)
		if ok && row.Verb == knowledge.Spawns && (row.Joined == "" || keptIn(t.Recv()) && !f.joined(s.fn, s.in)) {
			return true // by nobody, or by whoever ends the component whose group it is
		}
	}
	return false
}

// keptIn reports whether a group is that of a component, in one of its fields.
func keptIn(group ssa.Value) bool {
	if load, ok := group.(*ssa.UnOp); ok && load.Op == token.MUL {
		group = load.X
	}
	_, ok := group.(*ssa.FieldAddr)
	return ok
}

// joins reports whether an instruction waits for goroutines: a group's Wait, or a receive from one of the channels.
func (f *flow) joins(in ssa.Instruction, chans map[ssa.Value]bool) bool {
	has := func(v ssa.Value) bool {
		if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
			v = u.X
		}
		return chans[f.r.ctx.Variable(v)]
	}
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW && has(in.X)
	case *ssa.Range:
		return has(in.X)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Dir == types.RecvOnly && has(s.Chan) {
				return true
			}
		}
	case *ssa.Return:
		for _, x := range in.Results {
			if ct, ok := x.(*ssa.ChangeType); ok {
				x = ct.X
			}
			if has(x) {
				return true
			}
		}
	case *ssa.Call:
		return calledIs(in, "(*sync.WaitGroup).Wait") || calledIs(in, "(*golang.org/x/sync/errgroup.Group).Wait")
	}
	return false
}

func isChan(t types.Type) bool {
	_, ok := typeset.Deref(t).Underlying().(*types.Chan)
	return ok
}

// perItem reports whether a call is made for one item of a loop that takes items until its context ends: it stands in a loop
// around a select on Done beside another receive, or in a function that only such calls in sight call. The loop's context says
// when to stop taking items, not how long one may take.
func (f *flow) perItem(in ssa.Instruction) bool {
	b := in.Block()
	if requestCarrier(f.r, b.Parent()) {
		return false
	}
	if loopSelects(b) {
		return true
	}
	return f.itemFunc(b.Parent())
}

func (f *flow) itemFunc(fn *ssa.Function) bool {
	if yes, ok := f.item[fn]; ok {
		return yes
	}
	f.item[fn] = false
	yes := false
	callers := f.r.callers[fn]
	if obj := fn.Object(); len(callers) > 0 && (obj == nil || !obj.Exported()) && !requestCarrier(f.r, fn) {
		yes = true
		for _, s := range callers {
			yes = yes && s.fn != fn && f.perItem(s.in)
		}
	}
	f.item[fn] = yes
	return yes
}

// requestCarrier reports whether fn is handed a request rather than a bare context.
func requestCarrier(r *Result, fn *ssa.Function) bool {
	for _, c := range r.reach(fn) {
		if c.Field == nil && !typeset.IsContext(c.Param.Type()) {
			return true
		}
	}
	return false
}

// loopSelects reports whether b lies in a loop in which a select lists an end beside another receive.
func loopSelects(b *ssa.BasicBlock) bool {
	for _, x := range b.Parent().Blocks {
		for _, in := range x.Instrs {
			sel, ok := in.(*ssa.Select)
			if ok && takesItems(sel) && ssawalk.Reaches(x, b) && ssawalk.Reaches(b, x) {
				return true
			}
		}
	}
	return false
}

func takesItems(sel *ssa.Select) bool {
	end, other := false, false
	for _, s := range sel.States {
		if s.Dir != types.RecvOnly {
			continue
		}
		if typeset.IsSignalChan(s.Chan.Type()) {
			end = true
		} else {
			other = true
		}
	}
	return end && other
}
