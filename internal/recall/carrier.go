package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/typeset"
)

// carriers knows, of one declared function, which expressions are contexts that it was handed, or that it derived from them.
type carriers struct {
	info    *types.Info
	decl    *ast.FuncDecl
	params  map[types.Object]bool       // contexts and requests, of the function and its literals
	assigns map[types.Object][]ast.Expr // what is assigned to each local variable
	uses    map[types.Object]int
}

func newCarriers(info *types.Info, d *ast.FuncDecl) *carriers {
	c := &carriers{info: info, decl: d, params: map[types.Object]bool{}, assigns: map[types.Object][]ast.Expr{}, uses: map[types.Object]int{}}
	c.addParams(d.Type)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			c.addParams(n.Type)
		case *ast.AssignStmt:
			c.addAssign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var left []ast.Expr
			for _, name := range n.Names {
				left = append(left, name)
			}
			c.addAssign(left, n.Values)
		case *ast.Ident:
			if obj := info.Uses[n]; obj != nil {
				c.uses[obj]++
			}
		}
		return true
	})
	return c
}

func (c *carriers) addParams(f *ast.FuncType) {
	for _, field := range f.Params.List {
		for _, name := range field.Names {
			if obj := c.info.Defs[name]; obj != nil && name.Name != "_" {
				c.params[obj] = true
			}
		}
	}
}

// addAssign notes assignments; the variables of one call get that call, whichever result they are.
func (c *carriers) addAssign(left, right []ast.Expr) {
	for i, l := range left {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		obj := c.info.ObjectOf(id)
		if obj == nil || !typeset.IsContext(obj.Type()) {
			continue
		}
		switch {
		case len(right) == len(left):
			c.assigns[obj] = append(c.assigns[obj], right[i])
		case len(right) == 1:
			c.assigns[obj] = append(c.assigns[obj], right[0])
		default:
			c.assigns[obj] = append(c.assigns[obj], nil) // declared and nil
		}
	}
}

// inherited reports whether e is surely a context that came from a carrier in reach.
func (c *carriers) inherited(e ast.Expr) bool { return c.from(e, map[types.Object]bool{}) }

func (c *carriers) from(e ast.Expr, seen map[types.Object]bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := c.info.Uses[e]
		if obj == nil || !typeset.IsContext(obj.Type()) {
			return false
		}
		if seen[obj] {
			return true // in terms of itself, as in ctx = WithValue(ctx, …)
		}
		seen[obj] = true
		for _, rhs := range c.assigns[obj] {
			if rhs == nil || !c.from(rhs, seen) {
				return false
			}
		}
		return c.params[obj] || len(c.assigns[obj]) > 0
	case *ast.CallExpr:
		return c.derived(e, seen)
	}
	return false
}

// derived reports whether a call returns a context made from an inherited one.
func (c *carriers) derived(call *ast.CallExpr, seen map[types.Object]bool) bool {
	fn, ok := typeutil.Callee(c.info, call).(*types.Func)
	if !ok || fn.FullName() == "context.WithoutCancel" || detaching.MatchString(fn.Name()) {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(call.Args) == 0 && fn.Name() == "Context" {
		id, ok := ast.Unparen(sel.X).(*ast.Ident)
		return ok && c.params[c.info.Uses[id]] && (typeset.IsRequest(c.info.TypeOf(id)) || isStream(c.info.TypeOf(id)))
	}
	res := fn.Signature().Results()
	if res.Len() == 0 || !typeset.IsContext(res.At(0).Type()) {
		return false
	}
	for _, arg := range call.Args {
		if typeset.IsContext(c.info.TypeOf(arg)) {
			return c.from(arg, seen)
		}
	}
	return false
}

func isStream(t types.Type) bool {
	return typeset.HasContextMethod(t) && typeset.Method(t, "SendMsg") != nil
}

var (
	detaching = regexp.MustCompile(`(?i)detach|background|nocancel|withoutcancel|uncancel`)
	cleanup   = regexp.MustCompile(`(?i)^(close|stop|shutdown|rollback|release|unlock|drain|reap|resign|clean_?up|teardown|cancel|abort|destroy)`)
)

func isCleanup(name string) bool { return cleanup.MatchString(name) }

// region says where in the function a call stands.
type region struct {
	apart bool       // in a goroutine, a defer, a stored literal, or behind <-ctx.Done(): another life than the caller's
	stmt  ast.Stmt   // the statement of a block that holds it
	path  []ast.Node // from the function's body down to the call
}

// eachCall calls f for every call of the function.
func (c *carriers) eachCall(f func(*ast.CallExpr, region)) {
	var path []ast.Node
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if call, ok := n.(*ast.CallExpr); ok {
			f(call, regionOf(path))
		}
		return true
	})
}

func regionOf(path []ast.Node) region {
	r := region{path: path}
	for i, n := range path {
		if i == 0 {
			continue
		}
		switch parent := path[i-1].(type) {
		case *ast.BlockStmt, *ast.CaseClause:
			if s, ok := n.(ast.Stmt); ok {
				r.stmt = s
			}
		case *ast.CommClause:
			if s, ok := n.(ast.Stmt); ok && s != parent.Comm {
				r.stmt = s
				r.apart = r.apart || onDone(parent.Comm)
			}
		case *ast.GoStmt, *ast.DeferStmt:
			r.apart = true
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			call, passed := path[i-1].(*ast.CallExpr)
			r.apart = r.apart || !passed || call.Fun != lit && isLife(call)
		}
	}
	return r
}

// onDone reports whether a case of a select receives from Done.
func onDone(comm ast.Stmt) bool {
	s, ok := comm.(*ast.ExprStmt)
	if !ok {
		return false
	}
	recv, ok := s.X.(*ast.UnaryExpr)
	if !ok || recv.Op != token.ARROW {
		return false
	}
	call, ok := recv.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Done"
}

// isLife reports whether the callee keeps the function it is given for later: there another carrier, or none, may be due.
func isLife(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && later.MatchString(sel.Sel.Name)
}

var later = regexp.MustCompile(`^(AfterFunc|Go|TryGo|On[A-Z].*|Handle.*|Register.*|Add.*|Set.*|Cleanup)$`)
