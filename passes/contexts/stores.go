package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
)

// stores knows every value stored to each variable and field by the package's own code, test files left out: what a
// variable holds is joined over all of them, in whatever order they happen.
type stores struct {
	vars       map[ssa.Value][]ssa.Value  // by *ssa.Alloc or *ssa.Global
	fields     map[*types.Var][]ssa.Value // by field, of whatever struct value
	bindings   map[*ssa.FreeVar]ssa.Value // what a closure's variable is bound to, when its closure is made in one place
	fieldOrder []*types.Var               // the fields, by their first store
	escapes    map[ssa.Value]bool         // variables whose address is handed to a call: others may store too
}

func indexStores(r *ir.Result) *stores {
	s := &stores{
		vars:     make(map[ssa.Value][]ssa.Value),
		fields:   make(map[*types.Var][]ssa.Value),
		bindings: make(map[*ssa.FreeVar]ssa.Value),
		escapes:  make(map[ssa.Value]bool),
	}
	funcs := r.Funcs
	if r.Pkg != nil {
		if init := r.Pkg.Func("init"); init != nil {
			funcs = append(funcs[:len(funcs):len(funcs)], init)
		}
	}
	for _, fn := range funcs {
		s.bind(fn)
	}
	for _, fn := range funcs {
		if !r.InTest(fn) {
			s.add(fn)
		}
	}
	return s
}

func (s *stores) bind(fn *ssa.Function) {
	for in := range ssawalk.Instrs(fn) {
		mc, ok := in.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for i, fv := range mc.Fn.(*ssa.Function).FreeVars {
			if _, twice := s.bindings[fv]; !twice {
				s.bindings[fv] = mc.Bindings[i]
			}
		}
	}
}

func (s *stores) add(fn *ssa.Function) {
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			switch addr := s.variable(in.Addr).(type) {
			case *ssa.FieldAddr:
				f := fieldOf(addr)
				if len(s.fields[f]) == 0 {
					s.fieldOrder = append(s.fieldOrder, f)
				}
				s.fields[f] = append(s.fields[f], in.Val)
			case *ssa.Alloc, *ssa.Global:
				s.vars[addr] = append(s.vars[addr], in.Val)
			}
		case ssa.CallInstruction:
			for i, a := range in.Common().Args {
				if i == 0 && ownMethod(in.Common()) {
					continue
				}
				switch a := s.variable(a).(type) {
				case *ssa.FieldAddr:
					s.fields[fieldOf(a)] = append(s.fields[fieldOf(a)], a) // its address leaves: anything may be stored
				case *ssa.Alloc:
					s.escapes[a] = true
				}
			}
		}
	}
}

// ownMethod reports whether a call is of a method of a client, dialer or server on the value that is kept in place: the Get of an
// http.Client replaces no client.
func ownMethod(c *ssa.CallCommon) bool {
	fn := c.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || fn.Pkg == nil {
		return false
	}
	path := fn.Pkg.Pkg.Path()
	return path == "net" || path == "net/http"
}

// variable returns the variable behind an address: the Alloc of the enclosing function for a captured variable.
func (s *stores) variable(addr ssa.Value) ssa.Value {
	for range 8 {
		fv, ok := addr.(*ssa.FreeVar)
		if !ok {
			return addr
		}
		b, ok := s.bindings[fv]
		if !ok {
			return addr
		}
		addr = b
	}
	return addr
}

// fieldOf returns the field of a FieldAddr; of an instance of a generic struct it is the field of the origin.
func fieldOf(a *ssa.FieldAddr) *types.Var {
	t := a.X.Type().Underlying().(*types.Pointer).Elem()
	return t.Underlying().(*types.Struct).Field(a.Field).Origin()
}
