package durations

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// maxSteps bounds the work for one answer.
const maxSteps = 500

// state is where a value stands in the lattice.
type state uint8

const (
	unknown state = iota
	pending       // a φ that is being looked at: it adds nothing to the join
	known
)

// evaluation answers one question.
type evaluation struct {
	r     *Result
	fuel  int
	open  map[*ssa.Phi]bool // those being looked at
	usual bool              // see Result.Usual
	most  bool              // see Result.Most
}

func (e *evaluation) of(v ssa.Value) (int64, state) {
	if e.fuel--; e.fuel < 0 {
		return 0, unknown
	}
	switch v := v.(type) {
	case *ssa.Const:
		return number(v)
	case *ssa.ChangeType:
		return e.of(v.X)
	case *ssa.Convert:
		return e.convert(v)
	case *ssa.BinOp:
		return e.binary(v)
	case *ssa.Phi:
		return e.phi(v)
	case *ssa.UnOp:
		return e.unary(v)
	case *ssa.Call:
		return e.call(v)
	case *ssa.Field:
		field, _ := ssawalk.Field(v)
		return e.field(field)
	}
	return 0, unknown
}

func (e *evaluation) field(f *types.Var) (int64, state) {
	if s := e.r.fields[f]; e.usual && s != nil && s.outside && !s.taken {
		return answer(s.usual, s.usualOK)
	}
	return answer(e.r.field(f))
}

func answer(n int64, ok bool) (int64, state) {
	if ok {
		return n, known
	}
	return 0, unknown
}

func number(c *ssa.Const) (int64, state) {
	if c.Value == nil {
		return 0, unknown
	}
	v := constant.ToInt(c.Value)
	if v.Kind() != constant.Int {
		return 0, unknown
	}
	n, exact := constant.Int64Val(v)
	return answer(n, exact)
}

// convert follows a conversion between integers that keeps the number.
func (e *evaluation) convert(v *ssa.Convert) (int64, state) {
	if !isInteger(v.Type()) || !isInteger(v.X.Type()) {
		return 0, unknown
	}
	n, st := e.of(v.X)
	if st != known || !fits(n, v.Type()) {
		return 0, unknown
	}
	return n, known
}

// fits reports whether a type holds the number, on every machine.
func fits(n int64, t types.Type) bool {
	low, high := int64(-1<<31), int64(1<<31-1)
	switch t.Underlying().(*types.Basic).Kind() {
	case types.Int64, types.UntypedInt:
		return true
	case types.Uint64, types.Uintptr, types.Uint:
		return n >= 0
	case types.Int8:
		low, high = -1<<7, 1<<7-1
	case types.Int16:
		low, high = -1<<15, 1<<15-1
	case types.Uint8:
		low, high = 0, 1<<8-1
	case types.Uint16:
		low, high = 0, 1<<16-1
	case types.Uint32:
		low, high = 0, 1<<32-1
	case types.Int: // a conversion to int of what is a duration is one on machines that can hold it
		return true
	}
	return low <= n && n <= high
}

func (e *evaluation) binary(v *ssa.BinOp) (int64, state) {
	if !isInteger(v.Type()) {
		return 0, unknown
	}
	x, st := e.of(v.X)
	if st != known {
		return 0, unknown
	}
	y, st := e.of(v.Y)
	if st != known {
		return 0, unknown
	}
	return answer(arithmetic(v.Op, x, y))
}

func (e *evaluation) phi(v *ssa.Phi) (int64, state) {
	if e.open[v] {
		return 0, pending
	}
	e.open[v] = true
	defer delete(e.open, v)
	n, st := int64(0), pending
	for _, edge := range v.Edges {
		m, s := e.of(edge)
		switch {
		case s == unknown || s == known && st == known && m != n:
			return 0, unknown
		case s == known:
			n, st = m, known
		}
	}
	return n, st
}

func (e *evaluation) unary(v *ssa.UnOp) (int64, state) {
	switch v.Op {
	case token.SUB:
		n, st := e.of(v.X)
		if st != known {
			return 0, unknown
		}
		return answer(arithmetic(token.SUB, 0, n))
	case token.MUL:
		return e.load(v)
	}
	return 0, unknown
}

// load reads a variable: of the package, of a struct, or local.
func (e *evaluation) load(v *ssa.UnOp) (int64, state) {
	switch addr := v.X.(type) {
	case *ssa.Global:
		return answer(e.r.global(addr))
	case *ssa.FieldAddr:
		field, _ := ssawalk.Field(addr)
		return e.field(field)
	case *ssa.Alloc, *ssa.FreeVar:
		st := ssawalk.Stores(addr)
		if len(st) != 1 || !before(st[0], v) {
			return 0, unknown
		}
		return e.of(st[0].Val)
	}
	return 0, unknown
}

// before reports whether the store surely comes first. A closure that reads is made after it, or else in the same function
// as the store in any order: then the variable may still be zero.
func before(st *ssa.Store, load ssa.Instruction) bool {
	in := load.Parent()
	at := load
	for in != st.Parent() {
		made := ssawalk.Closures(in)
		if len(made) != 1 {
			return false
		}
		at = made[0]
		in = at.Parent()
	}
	return ssawalk.Before(st, at)
}

func (e *evaluation) call(v *ssa.Call) (int64, state) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		return e.builtin(b.Name(), v.Call.Args)
	}
	s := ssawalk.Resolve(v)
	if e.most && drawsBelow(s.Func) {
		return e.of(s.Arg(0))
	}
	if s.Fn == nil {
		return 0, unknown
	}
	return answer(e.r.result(s.Fn))
}

// drawsBelow reports whether a function gives a number at random that is below the one it is given: rand.Int63n, rand.N.
func drawsBelow(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "math/rand" && fn.Pkg().Path() != "math/rand/v2" {
		return false
	}
	switch fn.Name() {
	case "Intn", "Int31n", "Int63n", "IntN", "Int32N", "Int64N", "N":
		return true
	}
	return false
}

func (e *evaluation) builtin(name string, args []ssa.Value) (int64, state) {
	if name != "min" && name != "max" {
		return 0, unknown
	}
	var best int64
	for i, arg := range args {
		n, st := e.of(arg)
		if st != known {
			return 0, unknown
		}
		if i == 0 || name == "min" && n < best || name == "max" && n > best {
			best = n
		}
	}
	return best, known
}
