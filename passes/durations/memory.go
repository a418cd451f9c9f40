package durations

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
)

// settle computes what every variable, field and function of the package always is, in source order. Afterwards the result
// is only read: other passes may ask in any order and from other goroutines.
func (r *Result) settle(funcs *ir.Result) {
	for _, fn := range funcs.Funcs {
		if !funcs.InTest(fn) && integerResult(fn) {
			r.returns[fn] = &stored{fn: fn}
		}
	}
	for _, fn := range funcs.Funcs {
		r.read(r.returns[fn])
	}
	for _, s := range r.order {
		r.read(s)
	}
	for _, s := range r.order {
		if s.outside && !s.taken {
			s.usual, s.usualOK = r.join(s)
		}
	}
}

// read returns the number that something always is, computing it if need be. What depends on itself is unknown.
func (r *Result) read(s *stored) (int64, bool) {
	if s == nil || s.taken || s.outside {
		return 0, false
	}
	if !s.done && !s.open {
		s.open = true
		s.n, s.ok = r.join(s)
		s.done, s.open = true, false
	}
	return s.n, s.done && s.ok
}

// join returns the number that all values are.
func (r *Result) join(s *stored) (n int64, ok bool) {
	if s.zero && len(s.values) == 0 {
		return 0, true
	}
	values := s.values
	if s.fn != nil {
		for ret := range ssawalk.Returns(s.fn) {
			values = append(values, ret.Results[0])
		}
	}
	for i, v := range values {
		d, known := r.Of(v)
		if !known || i > 0 && int64(d) != n {
			return 0, false
		}
		n, ok = int64(d), true
	}
	return n, ok
}

// global returns the number that a package variable always has: that of its fact, or of its only store, which is its
// initialisation.
func (r *Result) global(g *ssa.Global) (int64, bool) {
	if obj := g.Object(); obj != nil {
		if n, ok := r.imported[obj]; ok {
			return n, true
		}
	}
	return r.read(r.globals[g])
}

// field returns the number that all stores to a field in this package store.
func (r *Result) field(f *types.Var) (int64, bool) {
	if f == nil {
		return 0, false
	}
	return r.read(r.fields[f])
}

// result returns the number that a function always returns, whatever it is called with.
func (r *Result) result(fn *ssa.Function) (int64, bool) {
	if obj := fn.Object(); obj != nil {
		if n, ok := r.imported[obj]; ok {
			return n, true
		}
	}
	return r.read(r.returns[fn])
}
