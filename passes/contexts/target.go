package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
)

// Target is a function that a call may run, with the call's arguments lined up with its parameters, the receiver first.
type Target struct {
	Obj  *types.Func      // the declared function or method, on its generic origin; nil for a literal
	Fn   *ssa.Function    // its body, when this package has it
	Args []ssa.Value      // arguments, receiver first; a receiver or argument that cannot be told is nil
	Sig  *types.Signature // of the function as called
	Made *ssa.MakeClosure // the closure that was made of Fn, for a literal
}

// Recv returns the receiver, or nil.
func (t Target) Recv() ssa.Value {
	if t.hasRecv() && len(t.Args) > 0 {
		return t.Args[0]
	}
	return nil
}

// Param returns the argument for the i-th parameter, the receiver not counted, or nil.
func (t Target) Param(i int) ssa.Value {
	if t.hasRecv() {
		i++
	}
	if i < 0 || i >= len(t.Args) {
		return nil
	}
	return t.Args[i]
}

// At returns the value that a place of a knowledge row names, or nil. A place among the options is no single value.
func (t Target) At(p knowledge.Place) ssa.Value {
	switch p.Kind {
	case knowledge.Param:
		return t.Param(p.Index)
	case knowledge.Recv:
		return t.Recv()
	}
	return nil
}

func (t Target) hasRecv() bool {
	if t.Obj != nil {
		return t.Obj.Signature().Recv() != nil
	}
	return false
}

// Targets returns the functions that a call surely may run and whether these are all. A call through an interface has one
// target, the interface's method.
func (r *Result) Targets(c *ssa.CallCommon) ([]Target, bool) {
	if t, ok := r.targets[c]; ok {
		return t.list, t.all
	}
	list, all := r.findTargets(c)
	r.targets[c] = targets{list, all}
	return list, all
}

// targets is what Targets has found.
type targets struct {
	list []Target
	all  bool
}

func (r *Result) findTargets(c *ssa.CallCommon) ([]Target, bool) {
	if c.IsInvoke() {
		args := append([]ssa.Value{c.Value}, c.Args...)
		return []Target{{Obj: c.Method.Origin(), Args: args, Sig: c.Signature()}}, true
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil, true
	}
	fns := r.Funcs(c.Value)
	var out []Target
	for _, f := range fns {
		f.Args = append(f.Args[:len(f.Args):len(f.Args)], c.Args...)
		f.Sig = c.Signature()
		out = append(out, f)
	}
	return out, len(fns) > 0
}

// maxFuncs is how many functions a value may stand for and still be followed.
const maxFuncs = 3

// Funcs returns the functions that a function value stands for, with the receiver bound in it as their first argument; none
// when they cannot be told or are more than three.
func (r *Result) Funcs(v ssa.Value) []Target { return r.funcs(v, 0) }

func (r *Result) funcs(v ssa.Value, depth int) []Target {
	if depth > 6 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Function:
		return []Target{r.target(v, nil)}
	case *ssa.MakeClosure:
		return []Target{r.target(v.Fn.(*ssa.Function), v)}
	case *ssa.ChangeType:
		return r.funcs(v.X, depth+1)
	case *ssa.MakeInterface:
		return r.funcs(v.X, depth+1)
	case *ssa.Phi:
		return r.funcsOf(v.Edges, depth+1)
	case *ssa.FreeVar:
		if b, ok := r.stores.bindings[v]; ok {
			return r.funcs(b, depth+1)
		}
	case *ssa.UnOp:
		return r.funcsOf(r.Stored(v), depth+1)
	case *ssa.Call:
		if f := r.onceFunc(v, 0, depth+1); f != nil {
			return f
		}
		return r.returnedFuncs(v, depth+1)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return r.onceFunc(c, v.Index, depth+1)
		}
	}
	return nil
}

// onceFunc returns what is behind the function that a call hands out, where the tables say that it calls the one that it was
// given: sync.OnceFunc, iter.Pull.
func (r *Result) onceFunc(c *ssa.Call, index, depth int) []Target {
	callee := c.Call.StaticCallee()
	if callee == nil {
		return nil
	}
	t := r.target(callee, nil)
	t.Args = c.Call.Args
	row, ok := r.Row(t.Obj)
	if !ok || row.Verb != knowledge.None || !row.Func.IsSet() || row.Result != index {
		return nil
	}
	return r.funcs(t.At(row.Func), depth)
}

// returnedFuncs follows a call of a function of this package that returns a literal or a named function.
func (r *Result) returnedFuncs(c *ssa.Call, depth int) []Target {
	callee := body(c.Call.StaticCallee())
	if callee == nil || len(callee.Blocks) == 0 || callee.Signature.Results().Len() != 1 {
		return nil
	}
	var vals []ssa.Value
	for in := range ssawalk.Instrs(callee) {
		if ret, ok := in.(*ssa.Return); ok && len(ret.Results) == 1 {
			vals = append(vals, ret.Results[0])
		}
	}
	return r.funcsOf(vals, depth)
}

func (r *Result) funcsOf(vals []ssa.Value, depth int) []Target {
	var out []Target
	for _, x := range vals {
		if c, ok := x.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		fs := r.funcs(x, depth)
		if len(fs) == 0 {
			return nil // one that cannot be told: none can
		}
		for _, f := range fs {
			if !hasTarget(out, f) {
				out = append(out, f)
			}
		}
	}
	if len(out) > maxFuncs {
		return nil
	}
	return out
}

func hasTarget(list []Target, f Target) bool {
	for _, g := range list {
		if g.Fn == f.Fn && g.Obj == f.Obj && f.Fn != nil {
			return true
		}
	}
	return false
}

// Stored returns what may be stored where a load reads, when all of it can be told.
func (r *Result) Stored(load *ssa.UnOp) []ssa.Value {
	switch addr := r.stores.variable(load.X).(type) {
	case *ssa.Alloc:
		if !r.stores.escapes[addr] {
			return r.stores.vars[addr]
		}
	case *ssa.Global:
		if addr.Pkg == r.pkg {
			return r.stores.vars[addr]
		}
	case *ssa.FieldAddr:
		return r.stores.fields[fieldOf(addr)]
	}
	return nil
}

// target returns the Target of a function, seeing through the wrappers that SSA makes for method values, method
// expressions and instances.
func (r *Result) target(fn *ssa.Function, made *ssa.MakeClosure) Target {
	t := Target{Sig: fn.Signature}
	if obj, ok := fn.Object().(*types.Func); ok {
		t.Obj = obj.Origin()
	}
	switch {
	case t.Obj == nil:
		t.Fn, t.Made = body(fn), made // a literal
	case fn.Synthetic != "" && fn.Origin() == nil:
		if made != nil && len(made.Bindings) == 1 && t.Obj.Signature().Recv() != nil {
			t.Args = made.Bindings // a method value: the receiver is bound
		}
		t.Fn = body(fn.Prog.FuncValue(t.Obj))
	default:
		t.Fn = body(fn)
	}
	if t.Fn != nil && len(t.Fn.Blocks) == 0 {
		t.Fn = nil
	}
	return t
}

// body returns the function whose body is fn's: the generic origin of an instance.
func body(fn *ssa.Function) *ssa.Function {
	if fn != nil && fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}
