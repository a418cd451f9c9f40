package summaries

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// effect is one wait that a call makes its function wait for.
type effect struct {
	Wait
	set   contexts.Set // of End ByParam: where the context comes from that ends the wait
	call  ssa.CallInstruction
	fn    *ssa.Function // the function that calls
	below bool          // in a goroutine that the callee starts and nobody joins
	round *loops.Loop   // of a pause: the loop here that makes it one between rounds
}

// effects returns what a call waits for.
func (r *Result) effects(fn *ssa.Function, c ssa.CallInstruction) []effect {
	targets, ok := r.ctx.Targets(c.Common())
	if !ok {
		if pauses := r.ofSleeper(fn, c); pauses != nil {
			return r.goRound(c, pauses)
		}
		return r.ofUnknown(fn, c)
	}
	var out []effect
	for _, t := range targets {
		out = append(out, meantToLast(r.goRound(c, r.ofTarget(fn, c, t)), c, t.Obj)...)
	}
	if _, isGo := c.(*ssa.Go); isGo {
		return leftBehind(unjoinedDeaf(unjoined(out, !r.flow.joined(fn, c))), r.flow.leaves(fn, c))
	}
	for i, e := range out {
		out[i].Shared = !e.Deaf && r.loadsOnce(c, e)
	}
	return out
}

func (r *Result) ofTarget(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target) []effect {
	if row, ok := r.ctx.Row(t.Obj); ok && !r.inSight(t, row) {
		return r.ofRow(fn, c, t, row)
	}
	if t.Fn != nil {
		if sum := r.read(t.Fn, fn); sum != nil {
			return r.ofSummary(fn, c, t, sum)
		}
	}
	if t.Obj == nil {
		return nil
	}
	if sum, bodies := r.impls.summary(r, t.Obj, fn); sum != nil {
		return r.ofMethod(fn, c, t, sum, bodies)
	}
	if row, ok := r.impls.known(r, t.Obj); ok {
		return r.ofRow(fn, c, t, row)
	}
	if sum, ok := r.impls.elsewhere(r, t.Obj, fn); ok {
		return r.ofMethod(fn, c, t, sum, nil)
	}
	if sum, ok := r.imported(t.Obj); ok {
		return r.ofFact(fn, c, t, sum)
	}
	if t.Obj.Pkg() != nil && r.pass.ImportPackageFact(t.Obj.Pkg(), new(incomplete)) {
		return nil // of a package that could not be analysed: unknown
	}
	return r.bySignature(fn, c, t)
}

// inSight reports whether the body of an API without a context says more than its row: in the package that makes the library.
func (r *Result) inSight(t contexts.Target, row knowledge.Row) bool {
	return t.Fn != nil && len(t.Fn.Blocks) > 0 && row.Verb == knowledge.Waits && !row.Ctx.IsSet() && !row.IO && !row.ByRecv
}

// ofRow applies a row of the tables.
func (r *Result) ofRow(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	switch row.Verb {
	case knowledge.Waits:
		switch {
		case row.Ctx.IsSet():
		case row.Local && row.Use == "":
			return nil // waits for goroutines of this process
		case row.IO:
			return append(r.ofConn(fn, c, t, row), r.ofReaders(fn, c, t, row)...)
		}
		return r.ofWait(fn, c, t, row)
	case knowledge.Calls:
		if row.Retry && row.Use != "" {
			row.Within = knowledge.Place{} // when to stop trying, which ends no attempt
			return r.ofWait(fn, c, t, row)
		}
		return r.ofRun(fn, c, t, row)
	case knowledge.Spawns:
		return r.ofRun(fn, c, t, row)
	case knowledge.Sleeps:
		return r.ofSleep(fn, c, t, row)
	case knowledge.None:
		if row, ok := r.waitsWith(c, t, row); ok {
			return r.ofWait(fn, c, t, row)
		}
	}
	return nil
}

// ofWait is a wait that the tables know.
func (r *Result) ofWait(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	switch {
	case !row.Ctx.IsSet() && r.ended != nil && r.ended.has(c):
		return nil // what it waits on is ended when a context ends
	case exchangesNothing(c, t, row):
		return nil // its arguments say that nothing is sent
	case row.ByRecv && incoming(t) && ownRequest(t.Recv()):
		return nil // what it reads is there
	case !row.Ctx.IsSet() && !row.ByRecv && r.overBoundConn(c, t):
		return nil // a deadline on the connection that it was made on ends it
	case takesAllSlots(c, t):
		return nil // it waits for those that it has started
	case r.overOwnDriver(t.Obj):
		return nil // a database of this package, which may be one in memory
	case len(row.Fields) > 0 && r.ctx.CarriesDeadline(boundedBy(t, row), row.Fields):
		return nil // its dialer has the deadline of a context that was handed in
	}
	e := effect{call: c, fn: fn, Wait: Wait{
		End: ByNothing, Name: contexts.DisplayName(t.Obj), Use: row.Use, Src: c.Common().Pos(), In: fn,
		Traits: Traits{Meant: row.Meant || r.uploads(t, row), Known: true, Lookup: looksUp(t, row), Local: row.Local, Inside: r.inside(t.Obj), Process: row.Process, Readies: row.Prepares, Retry: row.Retry, Coming: row.ByRecv && incoming(t)},
	}}
	r.bound(&e, t, row)
	switch {
	case row.Ctx.Kind == knowledge.Opts:
		e.set, e.End = r.optionContext(t), ByParam
		if len(e.set) == 0 {
			e.End = ByNothing
		}
	case row.Ctx.Kind != knowledge.NoPlace:
		e.set, e.End = r.ctx.Origins(t.At(row.Ctx)), ByParam
		if later := r.refilled(t.At(row.Ctx)); later != nil {
			e.set = later
		}
	case row.ByRecv && row.On.IsSet():
		e.set, e.End = r.ctx.Origins(t.At(row.On)), ByParam
	case row.ByRecv:
		e.set, e.End = r.ctx.Origins(t.Recv()), ByParam
	default:
		if left := r.leftOf(t, row); left.Inherited() {
			e.set, e.End = left, ByParam
		}
	}
	return append([]effect{e}, r.ofRun(fn, c, t, row)...)
}

// inside reports whether a statement is one to a database in this process, as far as what the package imports tells. Where drivers of
// both sorts are imported, it may be.
func (r *Result) inside(fn *types.Func) bool {
	name := typeset.FullName(fn)
	return r.entries.EmbeddedDatabase() && (strings.HasPrefix(name, "(*database/sql.") || strings.HasPrefix(name, "(database/sql/driver."))
}

// optionContext is the context given by one of the call's options.
func (r *Result) optionContext(t contexts.Target) contexts.Set {
	opts, ok := r.ctx.Options(t)
	if !ok {
		return contexts.Set{{Kind: contexts.Unknown}}
	}
	var out contexts.Set
	for _, o := range opts {
		call, ok := o.(*ssa.MakeInterface)
		v := o
		if ok {
			v = call.X
		}
		if s := r.ctx.Origins(v); len(s) > 0 && !s.Has(contexts.Unknown) {
			out = out.Join(s)
		}
	}
	return out
}

// ofSummary applies what is known of a function of this package.
func (r *Result) ofSummary(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, sum *summary) []effect {
	if t.Fn == fn {
		return nil // direct recursion adds nothing
	}
	var out []effect
	name := callName(t)
	for _, w := range sum.waits.sorted() {
		if w.Flight && r.lands(fn, c) || r.ruledOut(t, w) || w.Coming && w.End == ByParam && ownRequest(gives(t, w.Param)) {
			continue // what it waits for takes no time, or is there already; this call does not get there
		}
		e := effect{Wait: w.through(name, c.Common().Pos()), call: c, fn: fn}
		if w.Wrapper && w.Retry {
			e.Wait = w.repeats(fn, c)
		}
		if w.End == ByParam {
			e.set = r.argument(t, w.Param)
		}
		out = append(out, e)
	}
	for _, pc := range sum.funcs {
		out = append(out, r.ofParamCall(fn, c, t, pc, name)...)
	}
	return out
}

// argument returns the origins of what is given for a parameter of the callee; of a parameter that belongs to a function
// that encloses the callee, the parameter itself.
func (r *Result) argument(t contexts.Target, p *ssa.Parameter) contexts.Set {
	for i, q := range t.Fn.Params {
		if p == q {
			if i < len(t.Args) {
				return r.ctx.Origins(t.Args[i])
			}
			return contexts.Set{{Kind: contexts.Unknown}}
		}
	}
	return contexts.Set{{Kind: contexts.Param, Param: p}}
}

// callName names a callee in a path of calls.
func callName(t contexts.Target) string {
	if t.Obj != nil {
		return t.Obj.Name()
	}
	return "func literal"
}

// ofUnknown is a call of a function value that cannot be told: a func field, a parameter, an element.
func (r *Result) ofUnknown(fn *ssa.Function, c ssa.CallInstruction) []effect {
	v := c.Common().Value
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	i := typeset.ContextParam(sig)
	if i < 0 || i >= len(c.Common().Args) || told(valueName(v)) {
		return nil // nothing says that it waits; a hook
	}
	set := r.ctx.Origins(c.Common().Args[i])
	given := false
	if p := r.calledParam(v); p != nil {
		if !set.Any(bad) || len(r.callers[p.Parent()]) > 0 {
			return nil // decided where the function is given
		}
		given = true
	} else if !tellsOfWaiting(sig) {
		return nil // without an error it may only compute
	}
	w := Wait{End: ByParam, Traits: Traits{Hidden: true}, Given: given, Name: valueName(v), Src: c.Common().Pos(), In: fn}
	return []effect{{Wait: w, set: set, call: c, fn: fn}}
}

// tellsOfWaiting reports whether results make a function that takes a context one that waits on it: it can fail, or it
// hands out a channel.
func tellsOfWaiting(sig *types.Signature) bool {
	if typeset.ReturnsError(sig) {
		return true
	}
	for i := range sig.Results().Len() {
		if _, ok := sig.Results().At(i).Type().Underlying().(*types.Chan); ok {
			return true
		}
	}
	return false
}

// unnamed is what a function value is called that the source gives no name.
const unnamed = "a function value"

// valueName names a function value that is called.
func valueName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			st := fa.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			return st.Field(fa.Field).Name()
		}
		return valueName(v.X)
	}
	return unnamed
}
