package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// group is an errgroup with a context of its own.
type group struct {
	ctx    types.Object // ends when Wait returns
	waited token.Pos    // where Wait is called
}

// groups finds the groups of the function that are waited for.
func (f *function) groups() []group {
	made := map[types.Object]types.Object{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 2 || len(s.Rhs) != 1 {
			return true
		}
		call, ok := s.Rhs[0].(*ast.CallExpr)
		if !ok || f.calls(call) != "golang.org/x/sync/errgroup.WithContext" {
			return true
		}
		g, ok := s.Lhs[0].(*ast.Ident)
		ctx, named := s.Lhs[1].(*ast.Ident)
		if ok && named && ctx.Name != "_" {
			made[f.source.info.ObjectOf(g)] = f.source.info.ObjectOf(ctx)
		}
		return true
	})
	var out []group
	f.eachCall(func(call *ast.CallExpr, at region) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || at.apart || f.calls(call) != "(*golang.org/x/sync/errgroup.Group).Wait" {
			return
		}
		if id, ok := sel.X.(*ast.Ident); ok && made[f.source.info.Uses[id]] != nil {
			out = append(out, group{made[f.source.info.Uses[id]], call.End()})
		}
	})
	return out
}

// afterGroup gives a wait that comes after the group's Wait the context of the group, which is over by then.
func (f *function) afterGroup(call *ast.CallExpr, groups []group, at region) *site {
	wt, ok := f.waits.call(f.source.info, call)
	if !ok || at.apart || !f.inherited(call.Args[wt.arg]) {
		return nil
	}
	id, ok := ast.Unparen(call.Args[wt.arg]).(*ast.Ident)
	scope := f.pkg.Scope().Innermost(call.Pos())
	if !ok || scope == nil {
		return nil
	}
	for _, g := range groups {
		if _, seen := scope.LookupParent(g.ctx.Name(), call.Pos()); seen != g.ctx || call.Pos() < g.waited || f.source.info.Uses[id] == g.ctx {
			continue
		}
		return &site{kind: ended, callee: wt.fn.FullName(), edits: []edit{{f.offset(id.Pos()), f.offset(id.End()), g.ctx.Name()}}}
	}
	return nil
}
