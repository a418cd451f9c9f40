package channels

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// node is a value, a field or a result that may hold a channel; united nodes are one class.
type node struct {
	up      *node
	class   *Chan
	through *node // what goes through the channels of the class, when that is channels too
}

// result is the i-th result of a function.
type result struct {
	fn *ssa.Function
	i  int
}

func (n *node) top() *node {
	for n.up != nil {
		n = n.up
	}
	return n
}

func (n *node) thing() *Chan {
	t := n.top()
	if t.class == nil {
		t.class = new(Chan)
	}
	return t.class
}

// classes unites what is assigned, and gives every op its class.
func (f *finder) classes() {
	f.nodes = make(map[any]*node)
	f.countCalls()
	for _, fn := range f.ir.Funcs {
		if f.ir.InTest(fn) {
			continue
		}
		f.params(fn)
		for in := range ssawalk.Instrs(fn) {
			f.instr(fn, in)
		}
	}
	f.throughOpen()
	for _, o := range f.found {
		n := f.node(o.On)
		if n == nil {
			continue // nil
		}
		o.Chan = n.thing()
		if f.ir.InTest(o.Fn) {
			continue
		}
		o.Chan.Ops = append(o.Chan.Ops, o)
		if !slices.Contains(f.r.chans[o.Fn], o.Chan) {
			f.r.chans[o.Fn] = append(f.r.chans[o.Fn], o.Chan)
		}
	}
}

// bears reports whether a value of type t is, points to or holds channels, wait groups or condition variables of one class.
func bears(t types.Type) bool {
	for range 4 {
		switch u := t.Underlying().(type) {
		case *types.Chan:
			return true
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			if bears(u.Key()) {
				return true
			}
			t = u.Elem()
		case *types.Struct:
			return typeset.Is(t, "sync", "WaitGroup") || typeset.Is(t, "sync", "Cond")
		default:
			return false
		}
	}
	return false
}

// node returns the node of a value, nil for a constant.
func (f *finder) node(v ssa.Value) *node {
	var key any = v
	switch v := v.(type) {
	case *ssa.Const:
		return nil
	case *ssa.FieldAddr, *ssa.Field:
		field, _ := ssawalk.Field(v)
		if field == nil {
			return f.at(key)
		}
		if _, known := f.nodes[field]; !known && (field.Pkg() != f.pkg || field.Exported()) {
			f.at(field).thing().Open, f.at(field).thing().Taken = true, true // others may store there
		}
		key = field
		f.at(key).thing().Kept = true
	case *ssa.Global:
		f.at(key).thing().Kept = true
		if v.Object() == nil || v.Object().Exported() || v.Object().Pkg() != f.pkg {
			f.at(key).thing().Open, f.at(key).thing().Taken = true, true
		}
	}
	return f.at(key)
}

func (f *finder) at(key any) *node {
	n, ok := f.nodes[key]
	if !ok {
		n = new(node)
		f.nodes[key] = n
	}
	return n
}

func (f *finder) unite(a, b ssa.Value) {
	if a != nil && b != nil {
		join(f.node(a), f.node(b))
	}
}

func join(a, b *node) {
	if a == nil || b == nil {
		return
	}
	a, b = a.top(), b.top()
	if a == b {
		return
	}
	b.up = a
	if b.class != nil {
		c := a.thing()
		c.Makes = append(c.Makes, b.class.Makes...)
		c.Open, c.Taken, c.Lent = c.Open || b.class.Open, c.Taken || b.class.Taken, c.Lent || b.class.Lent
		c.Given, c.Kept = c.Given || b.class.Given, c.Kept || b.class.Kept
	}
	switch {
	case b.through == nil:
	case a.through == nil:
		a.through = b.through
	default:
		join(a.through, b.through)
	}
}

// open says that others have the channel, in the directions that its type allows them.
func (f *finder) open(v ssa.Value) {
	n := f.node(v)
	if n == nil {
		return
	}
	dir := types.SendRecv
	if c, ok := v.Type().Underlying().(*types.Chan); ok {
		dir = c.Dir()
	}
	c := n.thing()
	c.Open, c.Taken = c.Open || dir != types.RecvOnly, c.Taken || dir != types.SendOnly
}

// foreign says that the channel comes from others.
func (f *finder) foreign(v ssa.Value) {
	if n := f.node(v); n != nil {
		n.thing().Open, n.thing().Taken = true, true
	}
}

// params opens what others give to a function: one that is exported, or that nobody in sight calls.
func (f *finder) params(fn *ssa.Function) {
	obj, declared := fn.Object().(*types.Func)
	if f.calls[fn] > 0 && (!declared || !obj.Exported()) {
		return
	}
	for i, p := range fn.Params {
		recv := i == 0 && declared && typeset.Receiver(obj) != nil
		if bears(p.Type()) && !recv {
			f.foreign(p)
		}
	}
}

// instr unites what one instruction makes the same.
func (f *finder) instr(fn *ssa.Function, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeChan:
		c := f.node(in).thing()
		c.Makes = append(c.Makes, in)
	case *ssa.Store:
		if bears(in.Val.Type()) {
			f.unite(in.Addr, in.Val)
		}
	case *ssa.MapUpdate:
		f.ifBears(in.Map, in.Key)
		f.ifBears(in.Map, in.Value)
	case *ssa.Send:
		f.goesThrough(in.Chan, in.X)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Send != nil {
				f.goesThrough(s.Chan, s.Send)
			}
		}
	case *ssa.MakeClosure:
		for i, fv := range in.Fn.(*ssa.Function).FreeVars {
			f.ifBears(fv, in.Bindings[i])
		}
	case *ssa.Return:
		f.returned(fn, in)
	case ssa.CallInstruction:
		f.passed(in)
	case ssa.Value:
		f.value(in)
	}
}

func (f *finder) ifBears(a, b ssa.Value) {
	if bears(b.Type()) {
		f.unite(a, b)
	}
}

// passed unites the arguments of a call with the parameters, and opens those that go out of sight.
func (f *finder) passed(c ssa.CallInstruction) {
	common := c.Common()
	call, isCall := c.(*ssa.Call)
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && isCall && bears(call.Type()) || b.Name() == "copy" {
			for _, a := range common.Args {
				if isCall && bears(a.Type()) {
					f.unite(common.Args[0], a)
					f.unite(call, a)
				}
			}
		}
		return
	}
	if isCall && bears(call.Type()) {
		f.result(call, call, 0)
	}
	targets, all := f.ctx.Targets(common)
	if len(targets) == 0 && !all {
		targets, all = f.r.Passed(c)
	}
	for _, t := range targets {
		f.given(t)
	}
	if !all {
		for _, a := range common.Args {
			if bears(a.Type()) {
				f.open(a)
			}
		}
	}
}

// given unites the arguments with one callee's parameters.
func (f *finder) given(t contexts.Target) {
	for i, a := range t.Args {
		switch {
		case a == nil || !bears(a.Type()):
		case t.Fn != nil && i < len(t.Fn.Params):
			f.unite(t.Fn.Params[i], a)
		case t.Fn == nil && t.Obj != nil && t.Obj.Pkg() != nil && t.Obj.Pkg().Path() == "sync":
			// (*sync.WaitGroup).Done: it stays where it is
		default:
			f.open(a)
		}
	}
}
