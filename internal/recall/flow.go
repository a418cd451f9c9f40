package main

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/doneby/doneby/internal/typeset"
)

// source is one file, type-checked.
type source struct {
	fset *token.FileSet
	info *types.Info
	pkg  *types.Package
	file *ast.File
	text []byte
}

func (s source) offset(pos token.Pos) int { return s.fset.PositionFor(pos, false).Offset }

// assigned returns the first variable that the statement, an assignment of one call, stores the call's result in.
func (c *carriers) assigned(in region) types.Object {
	for i := len(in.path) - 1; i >= 0; i-- {
		s, ok := in.path[i].(*ast.AssignStmt)
		if !ok {
			continue
		}
		if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Rhs) == 1 {
			return c.info.ObjectOf(id)
		}
		return nil
	}
	return nil
}

// ends reports whether the context that the call derives is passed to a wait in this function.
func (f *function) ends(call *ast.CallExpr, in region) bool {
	v := f.assigned(in)
	if v == nil {
		return false
	}
	found := false
	f.eachCall(func(c *ast.CallExpr, at region) {
		if at.apart || c.Pos() < call.End() {
			return
		}
		wt, ok := f.waits.call(f.source.info, c)
		if !ok {
			return
		}
		id, ok := ast.Unparen(c.Args[wt.arg]).(*ast.Ident)
		found = found || ok && f.source.info.Uses[id] == v
	})
	return found
}

// sent reports whether the request that the statement makes is passed on for a response in this function.
func (c *carriers) sent(in region) bool {
	v := c.assigned(in)
	if v == nil {
		return false
	}
	found := false
	c.eachCall(func(call *ast.CallExpr, at region) {
		sig, ok := c.info.TypeOf(call.Fun).(*types.Signature)
		if at.apart || !ok || !typeset.ReturnsError(sig) || typeset.Name(sig.Results().At(0).Type()) != "*net/http.Response" {
			return
		}
		for _, arg := range call.Args {
			id, ok := ast.Unparen(arg).(*ast.Ident)
			found = found || ok && c.info.Uses[id] == v
		}
	})
	return found
}
