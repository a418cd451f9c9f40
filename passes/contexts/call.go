package contexts

import (
	"go/constant"
	"go/token"
	"go/types"
	"path"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// call returns the origins of the result with that index.
func (r *Result) call(c *ssa.Call, index int) (Set, int) {
	targets, ok := r.Targets(&c.Call)
	if !ok || len(targets) == 0 {
		return unknown, noCycle
	}
	low := noCycle
	var sets []Set
	for _, t := range targets {
		s, l := r.result(c, t, index)
		low = min(low, l)
		sets = append(sets, s)
	}
	return joinPaths(sets), low
}

func (r *Result) result(c *ssa.Call, t Target, index int) (Set, int) {
	if row, ok := r.Row(t.Obj); ok {
		if s, low, done := r.byRow(c, t, row, index); done {
			return s, low
		}
	}
	if t.Fn != nil {
		s, low := r.ofBody(c, t, index)
		return ownedBy(c, s), low
	}
	if t.Obj == nil {
		return unknown, noCycle
	}
	if s, ok := r.imported(c, t, index); ok {
		return ownedBy(c, s), noCycle
	}
	return r.foreign(t, index)
}

// ownedBy is what becomes of the contexts that a call of a helper gives together with their cancel function: when that has an owner, they
// live as long as it.
func ownedBy(c *ssa.Call, s Set) Set {
	ends := func(o Origin) bool { return o.Kind == Root && !o.Bound.Own }
	if !s.Any(ends) || !endedByOwner(c) {
		return s
	}
	return s.Map(func(o Origin) Origin {
		if ends(o) {
			return alive(o)
		}
		return o
	})
}

// byRow applies a row of the tables.
func (r *Result) byRow(c *ssa.Call, t Target, row knowledge.Row, index int) (Set, int, bool) {
	switch row.Verb {
	case knowledge.Roots:
		kind := Root
		if row.Life {
			kind = Lifetime
		}
		return Set{r.made(kind, c, t)}, noCycle, true
	case knowledge.Drops:
		s, low := r.origins(t.At(row.Ctx))
		s = s.Map(func(o Origin) Origin { return r.dropped(o, c, t) })
		return s.Bounded(r.Given(t, row)), low, true
	case knowledge.Derives:
		if index != row.Result {
			return unknown, noCycle, true
		}
		s, low := r.derived(c, t, row)
		return s, low, true
	case knowledge.Binds:
		return r.bound(c, t, row, index)
	case knowledge.Carries:
		return r.carried(c, t, row)
	case knowledge.Waits, knowledge.None, knowledge.Bounds, knowledge.Calls, knowledge.Spawns:
		return r.opened(c, t, row, index)
	}
	return nil, 0, false
}

// made is a context or handle that comes into being at c.
func (r *Result) made(k Kind, c *ssa.Call, t Target) Origin {
	return Origin{Kind: k, Name: DisplayName(t.Obj), Pos: c.Call.Pos(), In: c.Parent()}
}

// dropped is what WithoutCancel makes of o: its values without its end.
func (r *Result) dropped(o Origin, c *ssa.Call, t Target) Origin {
	switch {
	case o.Kind == Root:
		o.Bound = Bound{}
		return o
	case o.Kind == Unknown:
		return o // perhaps a root already
	}
	return r.made(Uncancelled, c, t)
}

// derived applies WithTimeout, WithCancel, WithValue, a span, a logger.
func (r *Result) derived(c *ssa.Call, t Target, row knowledge.Row) (Set, int) {
	s, low := r.origins(t.At(row.Ctx))
	if len(row.Fields) > 0 {
		return s.Bounded(r.Given(t, row)), low
	}
	limit := row.Limit()
	if !limit.IsSet() {
		if with := r.endedWith(c); with != nil && !s.Inherited() {
			return r.origins(with) // merged by hand: it ends with the other one
		}
		if row.Life || endedByOwner(c) {
			s = s.Map(alive)
		}
		return s, low
	}
	if from := deadlineOf(t.At(limit)); from != nil {
		if f, l := r.origins(from); f.Inherited() {
			return r.copied(f, s), min(low, l)
		}
	}
	return s.Bounded(r.Given(t, row)), low
}

// Given is the bound that a row says a call puts on a context: by an argument, or by a field of the receiver. A receiver made
// out of sight may have that field set.
func (r *Result) Given(t Target, row knowledge.Row) Bound {
	switch {
	case row.Within.IsSet():
		d, _ := r.lengths.Of(t.At(row.Within))
		return Bound{Own: true, For: d}
	case row.Until.IsSet():
		return Bound{Own: true}
	case len(row.Fields) > 0:
		return Bound{Own: r.Limit(t.Recv(), row.Fields) != LimitNone}
	}
	return Bound{}
}

// copied is a root onto which the deadline of an inherited context was put: as good as derived from it.
func (r *Result) copied(from, over Set) Set {
	if over.Inherited() {
		return over
	}
	var at token.Pos
	for _, o := range over {
		if !o.Inherited() {
			at = o.Pos
		}
	}
	return from.Map(func(o Origin) Origin {
		o.Copied, o.Over = true, at
		return o
	})
}

// alive is what an own cancel makes of a root: a life of its own.
func alive(o Origin) Origin {
	if o.Kind == Root && !o.Handle || o.Kind == Uncancelled {
		o.Kind = Lifetime
	}
	if o.Inherited() {
		o.Owned = true
	}
	return o
}

// bound applies a row that makes a handle: with the context given, or with none.
func (r *Result) bound(c *ssa.Call, t Target, row knowledge.Row, index int) (Set, int, bool) {
	if index != row.Result || row.Memory {
		return unknown, noCycle, true
	}
	if row.Ctx.Kind != knowledge.NoPlace {
		s, low := r.origins(t.At(row.Ctx))
		return s, low, true
	}
	if row.On.Kind != knowledge.NoPlace {
		s, low := r.origins(t.At(row.On))
		return s, low, true // a wrapper: it carries what it wraps
	}
	if r.bindable(c.Type()) {
		return Set{r.unbound(c.Type())}, noCycle, true
	}
	o := r.made(Root, c, t)
	o.Handle, o.Use = true, row.Use
	o.Bound = Bound{Own: endsByCommand(t)}
	return Set{o}, noCycle, true
}

// endsByCommand reports whether a command is run by timeout(1), which ends it.
func endsByCommand(t Target) bool {
	if t.Obj.FullName() != "os/exec.Command" {
		return false
	}
	name, ok := t.Param(0).(*ssa.Const)
	return ok && name.Value != nil && name.Value.Kind() == constant.String && path.Base(constant.StringVal(name.Value)) == "timeout"
}

// unbound is a session that no context was given to. It is shared, so that the place to mend is the call that waits, not the
// one that made it.
func (r *Result) unbound(t types.Type) Origin {
	return Origin{Kind: Root, Handle: true, Name: types.TypeString(t, func(p *types.Package) string { return p.Name() })}
}

// carried applies a row for a method that hands out a carrier's context.
func (r *Result) carried(c *ssa.Call, t Target, row knowledge.Row) (Set, int, bool) {
	if row.Life {
		return Set{r.made(Lifetime, c, t)}, noCycle, true
	}
	s, low := r.origins(t.Recv())
	return s, low, true
}

// opened is what a call gives that waits on a context: rows, a transaction, a stream wait on it too.
func (r *Result) opened(c *ssa.Call, t Target, row knowledge.Row, index int) (Set, int, bool) {
	if row.Ctx.Kind == knowledge.Param {
		s, low := r.origins(t.At(row.Ctx))
		return s, low, true
	}
	if row.Ctx.Kind == knowledge.Recv || row.ByRecv || r.bindable(c.Type()) {
		s, low := r.origins(t.Recv())
		return s, low, true
	}
	return unknown, noCycle, true
}

// foreign is a call of a function that nothing is known of: a wrapper that takes a context and returns one is taken to
// derive it, which is sure only when what it derives from is inherited. The Context method of a carrier hands out its own.
func (r *Result) foreign(t Target, index int) (Set, int) {
	sig := t.Obj.Signature()
	if index >= sig.Results().Len() {
		return unknown, noCycle
	}
	res := sig.Results().At(index).Type()
	if t.Obj.Name() == "Context" && typeset.ContextMethod(receiver(t)) != nil && r.Carries(receiver(t)) {
		return r.origins(t.Recv())
	}
	if !r.Carries(res) {
		return unknown, noCycle
	}
	if i := typeset.ContextParam(sig); i >= 0 {
		s, low := r.origins(t.Param(i))
		if s.Inherited() {
			return s, low
		}
		return unknown, low
	}
	if recv := t.Recv(); recv != nil && r.Carries(recv.Type()) {
		s, low := r.origins(recv) // a carrier made from a carrier: m.Child(), r.Clone()
		if s.Inherited() {
			return s, low
		}
	}
	return unknown, noCycle
}

// receiver returns the type of the receiver, or nil.
func receiver(t Target) types.Type {
	if recv := t.Recv(); recv != nil {
		return recv.Type()
	}
	return nil
}
