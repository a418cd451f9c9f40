package channels

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// value unites a value with those that it is made of.
func (f *finder) value(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if bears(v.X.Type()) {
			f.open(v.X)
		}
		return
	case *ssa.Range:
		f.ifBears(v, v.X)
		return
	case *ssa.Next:
		f.unite(v, v.Iter)
		return
	}
	if !bears(v.Type()) {
		return
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			f.unite(v, e)
		}
	case *ssa.ChangeType:
		f.unite(v, v.X)
	case *ssa.Convert:
		f.unite(v, v.X)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			f.unite(v, v.X)
		} else {
			f.goesThrough(v.X, v)
		}
	case *ssa.IndexAddr:
		f.unite(v, v.X)
	case *ssa.Index:
		f.unite(v, v.X)
	case *ssa.Lookup:
		f.unite(v, v.X)
	case *ssa.Slice:
		f.unite(v, v.X)
	case *ssa.TypeAssert:
		f.foreign(v)
	case *ssa.Extract:
		f.extracted(v)
	}
}

func (f *finder) extracted(v *ssa.Extract) {
	switch t := v.Tuple.(type) {
	case *ssa.Next:
		f.unite(v, t)
	case *ssa.Lookup:
		f.unite(v, t.X)
	case *ssa.Call:
		f.result(v, t, v.Index)
	case *ssa.UnOp:
		f.goesThrough(t.X, v)
	case *ssa.Select:
		if from := received(t, v.Index-2); from != nil {
			f.goesThrough(from, v)
		}
	default:
		f.foreign(v)
	}
}

// returned unites a function's results with what it returns.
func (f *finder) returned(fn *ssa.Function, ret *ssa.Return) {
	obj, declared := fn.Object().(*types.Func)
	others := f.calls[fn] == 0 || declared && obj.Exported()
	for i, x := range ret.Results {
		if !bears(x.Type()) {
			continue
		}
		n := f.node(x)
		join(f.at(result{fn, i}), n)
		if n != nil && others {
			res := fn.Signature.Results().At(i).Type()
			n.thing().Lent, n.thing().Taken = true, true
			if c, ok := res.Underlying().(*types.Chan); !ok || c.Dir() != types.RecvOnly {
				n.thing().Open = true
			}
		}
	}
}

// result unites what a call returns with the results of the functions that it may call.
func (f *finder) result(v ssa.Value, c *ssa.Call, i int) {
	targets, all := f.ctx.Targets(c.Common())
	if !all || len(targets) == 0 {
		f.made(v, c)
	}
	for _, t := range targets {
		if t.Fn == nil {
			f.made(v, c)
			continue
		}
		join(f.at(result{t.Fn, i}), f.node(v))
	}
}

// made says that the channel comes from a call out of sight.
func (f *finder) made(v ssa.Value, c *ssa.Call) {
	f.foreign(v)
	for _, a := range c.Call.Args {
		if typeset.ImplementsContext(a.Type()) || typeset.IsRequest(a.Type()) {
			f.node(v).thing().Given = true
		}
	}
}
