package wires

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// returned reports whether a value that a function returns matters to one of those who call it. A function that others may call, or that
// is more than called, may be called by somebody to whom it does.
func (f *flow) returned(v ssa.Value, ret *ssa.Return) bool {
	calls, all := f.p.callsOf(ret.Parent())
	if !all {
		return true
	}
	for _, c := range calls {
		below := len(f.at)
		for i, x := range ret.Results {
			if x == v && f.value(resultOf(c, i)) {
				return true
			}
		}
		if len(f.at) == below && !slices.Contains(f.at, ssa.Instruction(c)) {
			f.at = append(f.at, c) // else it goes on to who calls that one
		}
	}
	return false
}

// callsOf returns the calls of a function of this package, tests left out, and whether it is called in no other way: it is unexported,
// and never used but called.
func (p *program) callsOf(fn *ssa.Function) ([]*ssa.Call, bool) {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Exported() || fn.Origin() != nil || fn.TypeParams().Len() > 0 {
		return nil, false
	}
	var out []*ssa.Call
	all := p.funcs
	if init := p.code.Pkg.Func("init"); init != nil {
		all = append(all[:len(all):len(all)], init) // a table of functions
	}
	for _, caller := range all {
		for in := range ssawalk.Instrs(caller) {
			if c, ok := ssawalk.AsCall(in); ok && c.Common().IsInvoke() && c.Common().Method.Name() == obj.Name() {
				return nil, false // perhaps through an interface
			}
			if c, ok := in.(*ssa.Call); ok && c.Call.StaticCallee() == fn {
				out = append(out, c)
				continue
			}
			if mentions(in, fn) {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}

// mentions reports whether a function is among the operands of an instruction.
func mentions(in ssa.Instruction, fn *ssa.Function) bool {
	var ops [8]*ssa.Value
	return slices.ContainsFunc(in.Operands(ops[:0]), func(op *ssa.Value) bool { return *op == ssa.Value(fn) })
}

// resultOf returns the result of a call with that index, nil when nobody takes it.
func resultOf(c *ssa.Call, index int) ssa.Value {
	if c.Call.Signature().Results().Len() == 1 {
		return c
	}
	for _, ref := range *c.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == index {
			return x
		}
	}
	return nil
}
