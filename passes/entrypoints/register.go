package entrypoints

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// registering looks for calls and stores that make a function an entry point.
type registering struct {
	pass    *analysis.Pass
	funcs   *ir.Result
	tables  *knowledge.Tables
	entries map[*ssa.Function]bool
	params  map[*ssa.Function][]int // own functions that register what is passed to them
	grown   bool
}

// registered returns the functions that the package registers, and exports the facts.
func registered(pass *analysis.Pass, funcs *ir.Result) map[*ssa.Function]bool {
	r := &registering{
		pass: pass, funcs: funcs, tables: settings.Of(pass).Knowledge(),
		entries: map[*ssa.Function]bool{}, params: map[*ssa.Function][]int{},
	}
	all := everything(funcs)
	for r.grown = true; r.grown; {
		r.grown = false
		for _, fn := range all {
			if !funcs.InTest(fn) {
				r.scan(fn)
			}
		}
	}
	for _, fn := range funcs.Funcs {
		obj := declared(fn)
		if obj == nil || !obj.Exported() || funcs.InTest(fn) {
			continue
		}
		if r.entries[fn] {
			pass.ExportObjectFact(obj, &enters{})
		}
		if p := r.params[fn]; len(p) > 0 {
			pass.ExportObjectFact(obj, &registers{p})
		}
	}
	return r.entries
}

// everything lists the functions of the source and the package's initialisation, which registers commands.
func everything(funcs *ir.Result) []*ssa.Function {
	all := funcs.Funcs
	if init := funcs.Pkg.Func("init"); init != nil {
		all = append([]*ssa.Function{init}, all...)
	}
	return all
}

func (r *registering) scan(fn *ssa.Function) {
	for instr := range ssawalk.Instrs(fn) {
		switch instr := instr.(type) {
		case ssa.CallInstruction:
			if _, builtin := instr.Common().Value.(*ssa.Builtin); !builtin {
				r.call(ssawalk.Resolve(instr))
			}
		case *ssa.ChangeType:
			if row, ok := r.tables.Type(typeset.Name(instr.Type())); ok && row.Verb == knowledge.Enters {
				r.enter(instr.X) // made a handler by its type
			}
		case *ssa.Store:
			if r.entryField(instr.Addr) {
				r.enter(instr.Val)
			}
		}
	}
}

func (r *registering) call(s ssawalk.Site) {
	for _, i := range registeredParams(r.pass, r.tables, r.params, s) {
		for _, v := range given(s, i) {
			r.enter(v)
		}
	}
}

// registeredParams returns the parameters of the callee that are registered.
func registeredParams(pass *analysis.Pass, tables *knowledge.Tables, params map[*ssa.Function][]int, s ssawalk.Site) []int {
	if s.Func == nil {
		return nil
	}
	if row, ok := tables.Of(s.Func); ok {
		if row.Verb == knowledge.Enters && row.Func.Kind == knowledge.Param {
			return []int{row.Func.Index}
		}
		return nil
	}
	if s.Fn != nil && params[s.Fn] != nil {
		return params[s.Fn]
	}
	var fact registers
	if s.Func.Pkg() != pass.Pkg && pass.ImportObjectFact(s.Func, &fact) {
		return fact.Params
	}
	return nil
}

// given returns what is passed for parameter i: the elements, if it is variadic.
func given(s ssawalk.Site, i int) []ssa.Value {
	v := s.Arg(i)
	if v == nil {
		return nil
	}
	sig := s.Signature()
	if !sig.Variadic() || i != sig.Params().Len()-1 {
		return []ssa.Value{v}
	}
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var elems []ssa.Value
	for _, ref := range *array.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == at {
				elems = append(elems, st.Val)
			}
		}
	}
	return elems
}

// enter notes that v, a function, is an entry point; if v is a parameter, that its function registers.
func (r *registering) enter(v ssa.Value) {
	if fn, _ := ssawalk.Function(v); fn != nil {
		if !r.entries[fn] && (fn.Pkg == r.funcs.Pkg || fn.Pkg == nil) {
			r.entries[fn], r.grown = true, true
		}
		return
	}
	p, ok := ssawalk.Source(v).(*ssa.Parameter)
	if !ok {
		return
	}
	fn := p.Parent()
	i := slices.Index(fn.Params, p)
	if fn.Signature.Recv() != nil {
		i--
	}
	if i >= 0 && !slices.Contains(r.params[fn], i) {
		r.params[fn] = append(r.params[fn], i)
		slices.Sort(r.params[fn])
		r.grown = true
	}
}

// entryField reports whether addr is a field of a library's struct whose functions are given a carrier of their own: the
// RunE of a command is, the Dial of a client is not.
func (r *registering) entryField(addr ssa.Value) bool {
	field, of := ssawalk.Field(addr)
	if field == nil || field.Pkg() == nil || !r.tables.Covers(field.Pkg().Path()) {
		return false
	}
	sig := signature(field.Type())
	if sig == nil {
		return false
	}
	if row, ok := r.tables.Type(typeset.Name(typeset.Deref(of.Type()))); ok && row.Verb == knowledge.Enters {
		return true
	}
	for p := range sig.Params().Variables() {
		if typeset.IsContext(p.Type()) {
			continue
		}
		if typeset.HasContextMethod(p.Type()) && typeset.Named(p.Type()) == typeset.Named(of.Type()) {
			return true // func(cmd *Command, …) in a field of Command
		}
		if row, ok := r.tables.Type(typeset.Name(p.Type())); ok && row.Verb == knowledge.Carries {
			return true
		}
	}
	return false
}
