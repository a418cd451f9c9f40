package durations

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
)

// stored is a variable, field or function of the package, and all that it may be.
type stored struct {
	values []ssa.Value
	fn     *ssa.Function // for a function: its returns are the values
	zero   bool          // without a store it is zero
	taken  bool          // its address went somewhere, or it is stored outside its initialisation: unknown

	outside bool // a field that other packages or a decoder may store to: unknown, but for Usual
	usual   int64
	usualOK bool

	open, done, ok bool // being computed; computed; n is what it always is
	n              int64
}

// index notes every store to package variables and fields, and reads the facts of what is imported. Code in tests is looked
// at for what it imports only: it stores nothing that counts.
func (r *Result) index(pass *analysis.Pass, funcs *ir.Result) {
	all := funcs.Funcs
	if init := funcs.Pkg.Func("init"); init != nil {
		all = append([]*ssa.Function{init}, all...)
	}
	for _, fn := range all {
		test := funcs.InTest(fn)
		for instr := range ssawalk.Instrs(fn) {
			for _, op := range instr.Operands(nil) {
				if g, ok := (*op).(*ssa.Global); ok && g.Pkg == funcs.Pkg && !test {
					r.indexGlobal(g, instr)
				}
				r.importFact(pass, funcs.Pkg, *op)
			}
			if !test {
				r.indexField(funcs.Pkg, instr)
			}
		}
	}
}

// indexGlobal notes what the instruction does with a package variable. Only its initialisation may store.
func (r *Result) indexGlobal(g *ssa.Global, instr ssa.Instruction) {
	if !isInteger(g.Type().(*types.Pointer).Elem()) {
		return
	}
	s := r.globals[g]
	if s == nil {
		s = &stored{zero: g.Object() != nil && !g.Object().Exported()}
		r.globals[g] = s
		r.order = append(r.order, s)
	}
	s.use(g, instr)
	if _, store := instr.(*ssa.Store); store && instr.Parent() != g.Pkg.Func("init") {
		s.taken = true
	}
}

// indexField notes what the instruction does with the fields of structs declared in the package.
func (r *Result) indexField(pkg *ssa.Package, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.ChangeType:
		r.retyped(pkg, instr.Type())
	case *ssa.FieldAddr:
		field, _ := ssawalk.Field(instr)
		if field == nil || field.Pkg() != pkg.Pkg || !isInteger(field.Type()) {
			return
		}
		s := r.fieldOf(field)
		s.outside = s.outside || settable(instr, field)
		for _, ref := range *instr.Referrers() {
			s.use(instr, ref)
		}
	}
}

func (r *Result) fieldOf(field *types.Var) *stored {
	s := r.fields[field]
	if s == nil {
		s = &stored{}
		r.fields[field] = s
		r.order = append(r.order, s)
	}
	return s
}

// retyped notes that a struct of another type, whose stores are not seen, became one of type t.
func (r *Result) retyped(pkg *ssa.Package, t types.Type) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range s.Fields() {
		if f.Pkg() == pkg.Pkg && isInteger(f.Type()) {
			r.fieldOf(f.Origin()).taken = true
		}
	}
}

func (s *stored) use(addr ssa.Value, instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.Store:
		if i.Val == addr {
			s.taken = true
			return
		}
		s.values = append(s.values, i.Val)
	case *ssa.UnOp, *ssa.DebugRef:
	default:
		s.taken = true
	}
}

// settable reports whether other packages, or a decoder, may store in the field.
func settable(addr *ssa.FieldAddr, field *types.Var) bool {
	p, ok := addr.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || s.Tag(addr.Field) != "" {
		return true
	}
	if !field.Exported() {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return !ok || n.Obj().Exported()
}

// importFact reads the fact of an imported variable or function: only now, since a pass may not be asked for facts after it
// has run.
func (r *Result) importFact(pass *analysis.Pass, pkg *ssa.Package, v ssa.Value) {
	var obj types.Object
	switch v := v.(type) {
	case *ssa.Global:
		if v.Pkg != pkg && v.Object() != nil && isInteger(v.Object().Type()) {
			obj = v.Object()
		}
	case *ssa.Function:
		if fn := ssawalk.Declared(v); fn.Pkg != pkg && integerResult(fn) {
			obj = fn.Object()
		}
	}
	var a always
	if obj != nil && pass.ImportObjectFact(obj, &a) {
		r.imported[obj] = a.N
	}
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func integerResult(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	return res.Len() == 1 && isInteger(res.At(0).Type())
}
