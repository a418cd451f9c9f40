package summaries

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
)

// elsewhere returns what the implementers of an interface's method do, when none of them is of the interface's own package at
// hand: types of the own packages that this one imports, and of this package when the interface is another's. As for those
// beside the interface they are joined when they are at most three and agree; else nothing is said.
func (s *implementers) elsewhere(r *Result, m *types.Func, reader *ssa.Function) (*waitsFact, bool) {
	if m.Pkg() == nil || !typeset.IsInterfaceMethod(m) || !r.isOwn(m.Pkg()) {
		return nil, false
	}
	methods, wrapped := s.methodsElsewhere(r, m)
	var first *waitsFact
	for i, obj := range methods {
		f, ok := r.factOf(obj, reader)
		if !ok {
			return nil, false // not analysed, or told by a table
		}
		if i == 0 {
			first = f
		} else if !agree(first, f) {
			return nil, false
		}
	}
	if len(methods) == 0 || wrapped && len(first.Waits)+len(first.Calls) > 0 {
		return nil, false
	}
	return first, true
}

// found is the methods behind an interface's one.
type found struct {
	methods []*types.Func
	wrapped bool // some implementers wrap others, which may be out of sight
}

// methodsElsewhere returns the methods of the implementers; none when they are more than three.
func (s *implementers) methodsElsewhere(r *Result, m *types.Func) ([]*types.Func, bool) {
	if known, ok := s.abroad[m]; ok {
		return known.methods, known.wrapped
	}
	var out found
	iface, _ := typeset.Receiver(m).Underlying().(*types.Interface)
	for _, t := range s.candidates(r) {
		if iface == nil || !types.Implements(t, iface) {
			continue
		}
		if decorates(t, iface) {
			out.wrapped = true
			continue // it does what those do that it wraps
		}
		obj := typeset.Method(t, m.Name())
		if obj == nil || len(out.methods) == maxImplementers {
			out.methods = nil
			break
		}
		out.methods = append(out.methods, obj)
	}
	s.abroad[m] = out
	return out.methods, out.wrapped
}

// candidates returns the types that may stand behind an interface: the exported ones of the own packages that are imported,
// and those of this package.
func (s *implementers) candidates(r *Result) []types.Type {
	if s.inSight == nil {
		s.inSight = append([]types.Type{}, s.types...)
		for _, p := range ir.Imports(r.pass) {
			if r.isOwn(p) {
				s.inSight = append(s.inSight, slices.DeleteFunc(exportedTypes(p), standsIn)...)
			}
		}
	}
	return s.inSight
}

// isOwn reports whether a package is this one, or an own one that was analysed.
func (r *Result) isOwn(p *types.Package) bool {
	return p == r.pass.Pkg || r.pass.ImportPackageFact(p, new(analysed))
}

// factOf returns what is known of a method with a body, here or in another own package.
func (r *Result) factOf(obj *types.Func, reader *ssa.Function) (*waitsFact, bool) {
	if _, ok := r.ctx.Row(obj); ok || obj.Pkg() == nil {
		return nil, false
	}
	if obj.Pkg() != r.pass.Pkg {
		f, ok := r.imported(obj)
		if ok && f == nil {
			f = new(waitsFact)
		}
		return f, ok
	}
	fn := r.ir.Func(obj)
	if fn == nil || r.read(fn, reader) == nil {
		return nil, false
	}
	if f := r.fact(fn); f != nil {
		return f, true
	}
	return new(waitsFact), true
}
