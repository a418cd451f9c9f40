package clocks

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// state is where a value stands in the lattice.
type state uint8

const (
	nothing state = iota // a zero, a constant, a cycle: adds nothing to a join
	own                  // a reading of this process's clock
	unknown
)

// reading is what is known of a value. It has its monotonic part where lost is empty.
type reading struct {
	state state
	lost  []*ssa.Call // where the part was left out, on some path; in the order they were found
}

var (
	none   = reading{}
	opaque = reading{state: unknown}
)

func (r reading) join(s reading) reading {
	switch {
	case r.state == unknown || s.state == unknown:
		return opaque
	case s.state == nothing:
		return r
	case r.state == nothing:
		return s
	}
	out := reading{own, slices.Clone(r.lost)}
	for _, c := range s.lost {
		if !slices.Contains(out.lost, c) {
			out.lost = append(out.lost, c)
		}
	}
	return out
}

func (r reading) equal(s reading) bool { return r.state == s.state && len(r.lost) == len(s.lost) }

// evaluation answers one question.
type evaluation struct {
	p    *program
	fuel int
	open map[ssa.Value]bool
}

// maxSteps bounds the work for one answer.
const maxSteps = 300

// read returns what is known of v as things stand.
func (p *program) read(v ssa.Value) reading {
	e := &evaluation{p: p, fuel: maxSteps, open: map[ssa.Value]bool{}}
	return e.of(v)
}

func (e *evaluation) of(v ssa.Value) reading {
	if e.fuel--; e.fuel < 0 || v == nil {
		return opaque
	}
	if e.open[v] {
		return none
	}
	e.open[v] = true
	defer delete(e.open, v)
	switch v := v.(type) {
	case *ssa.Const:
		return none
	case *ssa.ChangeType:
		return e.of(v.X)
	case *ssa.Convert:
		return e.of(v.X)
	case *ssa.MakeInterface:
		return e.of(v.X)
	case *ssa.TypeAssert:
		return e.of(v.X)
	case *ssa.Phi:
		return e.all(v.Edges)
	case *ssa.BinOp:
		return e.binary(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return e.load(v)
		}
	case *ssa.Field:
		return e.p.node(place{field: e.p.fieldOf(v)}).now
	case *ssa.Parameter:
		return e.p.node(place{param: v}).now
	case *ssa.Lookup:
		return e.p.node(e.p.elements(v.X)).now
	case *ssa.Extract:
		return e.extract(v)
	case *ssa.Call:
		return e.call(v)
	}
	return opaque
}

func (e *evaluation) all(vals []ssa.Value) reading {
	out := none
	for _, x := range vals {
		out = out.join(e.of(x))
	}
	return out
}

// units are the factors between Unix numbers.
var units = map[string]bool{"1000": true, "1000000": true, "1000000000": true}

// binary is the arithmetic of Unix numbers: a reading moved by an offset, or in another unit. The difference of two readings is
// none; a number divided by anything else counts buckets of wall time.
func (e *evaluation) binary(v *ssa.BinOp) reading {
	if !timely(v.Type()) {
		return opaque
	}
	x, y := e.of(v.X), e.of(v.Y)
	switch v.Op {
	case token.ADD:
		if x.state == own && y.state != own && !e.counts(v) {
			return x
		}
		if y.state == own && x.state != own {
			return y
		}
	case token.SUB:
		if x.state == own && y.state != own {
			return x
		}
	case token.MUL, token.QUO:
		if c, ok := v.Y.(*ssa.Const); ok && x.state == own && isUnit(c) {
			return x
		}
	}
	if x.state == nothing && y.state == nothing && !isConst(v.X) && !isConst(v.Y) {
		return none // not yet known
	}
	return opaque
}

// counts reports whether a sum is the step of a counter that only begins with a reading: last + 1.
func (e *evaluation) counts(v *ssa.BinOp) bool {
	c, ok := v.Y.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() == "1"
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

func isUnit(c *ssa.Const) bool {
	if c.Value == nil {
		return false
	}
	n := constant.ToInt(c.Value)
	return n.Kind() == constant.Int && units[n.ExactString()]
}

// load reads a variable: of the package, of a struct, or local.
func (e *evaluation) load(v *ssa.UnOp) reading {
	switch addr := e.p.ctx.Variable(v.X).(type) {
	case *ssa.Global:
		return e.p.node(place{global: addr}).now
	case *ssa.FieldAddr:
		if back, ok := e.trip(addr); ok {
			return back
		}
		return e.p.node(place{field: e.p.fieldOf(addr)}).now
	case *ssa.Alloc:
		return e.p.node(place{local: addr}).now
	}
	return opaque
}

func (e *evaluation) extract(v *ssa.Extract) reading {
	switch t := v.Tuple.(type) {
	case *ssa.Lookup:
		if v.Index == 0 {
			return e.p.node(e.p.elements(t.X)).now
		}
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return e.of(t.X)
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 2 {
			return e.p.node(e.p.elements(r.X)).now
		}
	case *ssa.Call:
		return e.result(t, v.Index)
	}
	return opaque
}

func (e *evaluation) call(c *ssa.Call) reading {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "min" || b.Name() == "max" {
			return e.all(c.Call.Args)
		}
		return opaque
	}
	return e.result(c, 0)
}

// result is what a call returns: of package time by what it does, of own functions by what they return.
func (e *evaluation) result(c *ssa.Call, index int) reading {
	t, name := e.p.calls(&c.Call)
	switch {
	case name == "time.Now" || isClock(t):
		return reading{state: own}
	case strings.HasPrefix(name, "time.") || strings.HasPrefix(name, "(time.Time)."):
		return e.ofTime(c, t, name, index)
	case strings.Contains(name, "sync/atomic."):
		return e.atomic(c, t, name)
	case t.Fn != nil:
		return e.p.node(place{fn: t.Fn, index: index}).now
	}
	f := new(reads)
	if index != 0 || t.Obj == nil || t.Obj.Pkg() == e.p.pass.Pkg || !e.p.pass.ImportObjectFact(t.Obj, f) {
		return opaque
	}
	if f.Lost {
		return reading{own, []*ssa.Call{c}}
	}
	return reading{state: own}
}
