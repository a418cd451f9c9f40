package summaries

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// look finds out whether somebody reads the fields that say until when an item is of use.
type look struct {
	r      *Result
	limit  []*types.Var
	seen   map[*ssa.Function]bool
	strict bool // to tell somebody of it is to read it too
}

// reads reports whether a function or a literal in it reads one of the fields.
func (l *look) reads(fn *ssa.Function) bool {
	for in := range ssawalk.Instrs(fn) {
		if v, ok := in.(ssa.Value); ok && l.isRead(v) {
			return true
		}
	}
	for _, lit := range fn.AnonFuncs {
		if l.reads(lit) {
			return true
		}
	}
	return false
}

// isRead reports whether v reads one of the fields: not one that is only stored to, or that somebody is only told of.
func (l *look) isRead(v ssa.Value) bool {
	var f *types.Var
	switch v := v.(type) {
	case *ssa.FieldAddr:
		f = contexts.FieldOf(v)
	case *ssa.Field:
		f, _ = ssawalk.Field(v)
	}
	if f == nil || !l.of(f) {
		return false
	}
	if _, ok := v.(*ssa.Field); ok {
		return l.strict || !l.told(v, 0)
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == v {
				continue
			}
		case *ssa.UnOp:
			if !l.strict && l.told(ref, 0) {
				continue
			}
		}
		return true
	}
	return false
}

func (l *look) of(f *types.Var) bool {
	for _, x := range l.limit {
		if x == f {
			return true
		}
	}
	return false
}

// mayIn reports whether what a call runs reads one of the fields, or may: nobody can tell what it runs, and it is given the
// whole.
func (l *look) mayIn(c ssa.CallInstruction) bool {
	for _, a := range c.Common().Args {
		if !typeset.IsFunc(a.Type()) {
			continue
		}
		for _, f := range l.r.ctx.Funcs(a) {
			if f.Fn != nil && l.mayFn(f.Fn) {
				return true
			}
		}
	}
	targets, all := l.r.ctx.Targets(c.Common())
	if !all {
		return l.whole(c)
	}
	for _, t := range targets {
		switch {
		case t.Fn == nil && l.whole(c) && !l.onlyMethods(t, c):
			return true
		case t.Fn != nil && l.mayFn(t.Fn):
			return true
		}
	}
	return false
}

// onlyMethods reports whether a call runs a function of another package, which knows of the whole nothing but its methods, and none of
// these reads one of the fields; to stand in order in a heap does not count.
func (l *look) onlyMethods(t contexts.Target, c ssa.CallInstruction) bool {
	if t.Obj == nil || t.Obj.Pkg() == nil || t.Obj.Pkg() == l.r.pass.Pkg || typeset.IsInterfaceMethod(t.Obj) {
		return false
	}
	if p := t.Obj.Pkg().Path(); p == "container/heap" || p == "container/list" {
		return true
	}
	for _, a := range c.Common().Args {
		if mi, ok := a.(*ssa.MakeInterface); ok {
			a = mi.X
		}
		n := typeset.Named(a.Type())
		if n == nil {
			continue
		}
		for m := range n.Methods() {
			if fn := l.r.ir.Func(m.Origin()); fn != nil && l.reads(fn) {
				return false
			}
		}
	}
	return true
}

// mayFn reports whether a function of this package, or one that it calls, reads one of the fields.
func (l *look) mayFn(fn *ssa.Function) bool {
	if l.seen[fn] {
		return false
	}
	l.seen[fn] = true
	if l.reads(fn) {
		return true
	}
	for c := range ssawalk.Calls(fn) {
		if l.mayIn(c) {
			return true
		}
	}
	for _, lit := range fn.AnonFuncs {
		if l.mayFn(lit) {
			return true
		}
	}
	return false
}

// whole reports whether a call is given the whole of something that has the fields, so that the callee can look.
func (l *look) whole(c ssa.CallInstruction) bool {
	args := c.Common().Args
	if c.Common().IsInvoke() {
		args = append([]ssa.Value{c.Common().Value}, args...)
	}
	for _, a := range args {
		if mi, ok := a.(*ssa.MakeInterface); ok {
			a = mi.X
		}
		st, ok := typeset.Deref(a.Type()).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if l.of(f.Origin()) {
				return true
			}
		}
	}
	return false
}

// variableOf returns the variable of type t, or of a pointer to or from it, that stands in an expression.
func variableOf(info *types.Info, n ast.Node, t types.Type) (name string) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || name != "" {
			return name == ""
		}
		if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && types.Identical(typeset.Deref(v.Type()), typeset.Deref(t)) {
			name = id.Name
		}
		return true
	})
	return name
}
