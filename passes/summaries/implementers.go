package summaries

import (
	"go/types"
	"reflect"
	"sort"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// implementers knows the types of this package that implement its interfaces.
type implementers struct {
	types    []types.Type // the package's own concrete types, *T for each T, stand-ins for tests left out
	methods  map[*types.Func][]*ssa.Function
	wrapped  map[*types.Func]bool // methods of which some implementers wrap others
	rows     map[*types.Func]knowledge.Row
	imported []types.Type
	abroad   map[*types.Func]found // see methodsElsewhere
	inSight  []types.Type          // see candidates
}

// maxImplementers is how many types may stand behind an interface and still be joined.
const maxImplementers = 3

func findImplementers(pass *analysis.Pass) *implementers {
	out := &implementers{methods: make(map[*types.Func][]*ssa.Function), wrapped: make(map[*types.Func]bool), rows: make(map[*types.Func]knowledge.Row),
		abroad: make(map[*types.Func]found)}
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || inTestFile(pass, tn) || isDouble(pass, tn) {
			continue
		}
		if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
			out.types = append(out.types, types.NewPointer(n))
		}
	}
	return out
}

func inTestFile(pass *analysis.Pass, o types.Object) bool {
	name := pass.Fset.PositionFor(o.Pos(), false).Filename
	return len(name) > 8 && name[len(name)-8:] == "_test.go"
}

// summary returns what all implementers of an interface's method do, when they are in sight, at most three, and agree; else
// nil. reader is the function that asks.
func (s *implementers) summary(r *Result, m *types.Func, reader *ssa.Function) (*waitsFact, []*ssa.Function) {
	if m.Pkg() != r.pass.Pkg || !typeset.IsInterfaceMethod(m) {
		return nil, nil
	}
	iface, ok := typeset.Receiver(m).Underlying().(*types.Interface)
	if !ok {
		return nil, nil
	}
	bodies := s.bodies(r, iface, m)
	return s.agreedOn(r, m, bodies, reader), bodies
}

// bodies returns the bodies of an interface's method in all implementers in sight; none when some of them are out of sight
// or they are more than three.
func (s *implementers) bodies(r *Result, iface *types.Interface, m *types.Func) []*ssa.Function {
	if known, ok := s.methods[m]; ok {
		return known
	}
	var out []*ssa.Function
	for _, t := range s.types {
		if !types.Implements(t, iface) {
			continue
		}
		if decorates(t, iface) {
			s.wrapped[m] = true
			continue // it does what those do that it wraps, some of them perhaps out of sight
		}
		fn := r.methodBody(t, m.Name())
		if fn == nil || len(out) == maxImplementers {
			out = nil
			break
		}
		out = append(out, fn)
	}
	s.methods[m] = out
	return out
}

// agreedOn returns what all implementers do when they agree. Where some of them wrap others, only that none waits.
func (s *implementers) agreedOn(r *Result, m *types.Func, bodies []*ssa.Function, reader *ssa.Function) *waitsFact {
	f := r.agreed(bodies, reader)
	if f != nil && s.wrapped[m] && len(f.Waits)+len(f.Calls) > 0 {
		return nil
	}
	return f
}

// agreed returns what functions do when all do the same, else nil.
func (r *Result) agreed(fns []*ssa.Function, reader *ssa.Function) *waitsFact {
	var first *waitsFact
	for i, fn := range fns {
		if reader != nil {
			r.read(fn, reader)
		}
		f := r.fact(fn)
		if f == nil {
			f = new(waitsFact)
		}
		if i > 0 && !agree(first, f) {
			return nil
		}
		if i == 0 {
			first = f
		}
	}
	return first
}

func (r *Result) methodBody(t types.Type, name string) *ssa.Function {
	obj, _, _ := types.LookupFieldOrMethod(t, true, r.pass.Pkg, name)
	m, ok := obj.(*types.Func)
	if !ok || m.Pkg() != r.pass.Pkg {
		return nil
	}
	fn := r.ir.Func(m)
	if fn == nil || r.sums[fn] == nil {
		return nil
	}
	return fn
}

// agree reports whether two functions wait in the same ways, whatever the waits are called.
func agree(a, b *waitsFact) bool { return reflect.DeepEqual(ways(a), ways(b)) }

func ways(f *waitsFact) []factKey {
	out := make([]factKey, 0, len(f.Waits))
	for _, w := range f.Waits {
		if w.Deaf {
			continue // an implementer may wait for its own goroutines
		}
		out = append(out, factKey{end: w.End, param: w.Param, traits: Traits{Own: w.Own, Async: w.Async}})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].end != out[j].end {
			return out[i].end < out[j].end
		}
		return out[i].param < out[j].param
	})
	return out
}

// export writes the facts of interface methods whose implementers agree.
func (s *implementers) export(r *Result) {
	scope := r.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || inTestFile(r.pass, tn) {
			continue
		}
		iface, ok := tn.Type().Underlying().(*types.Interface)
		if !ok || iface.NumMethods() == 0 {
			continue
		}
		for m := range iface.ExplicitMethods() {
			if m.Pkg() != r.pass.Pkg {
				continue
			}
			if f := s.agreedOn(r, m, s.bodies(r, iface, m), nil); f != nil { // an empty one says that none waits

				r.pass.ExportObjectFact(m, f)
			}
		}
	}
}

// ofMethod applies the agreed summary of an interface's implementers.
func (r *Result) ofMethod(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, f *waitsFact, bodies []*ssa.Function) []effect {
	out := r.ofFact(fn, c, t, f)
	for i := range out {
		out[i].Bodies = bodies
		out[i].Foreign = out[i].End != ByParam // reported where the body has it, if it is to be reported
	}
	return out
}

// decorates reports whether a type that implements an interface holds another value of it: then there are implementers
// elsewhere.
func decorates(t types.Type, iface *types.Interface) bool {
	if typeset.IsFunc(typeset.Deref(t)) {
		return true // an adapter: what it calls is out of sight
	}
	st, ok := typeset.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		e := f.Type()
		if s, ok := e.Underlying().(*types.Slice); ok {
			e = s.Elem()
		}
		if types.IsInterface(e) && types.Identical(e.Underlying(), iface) {
			return true
		}
	}
	return false
}
