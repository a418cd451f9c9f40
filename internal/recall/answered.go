package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/doneby/doneby/internal/typeset"
)

// answered reports whether a case receives from a channel that the function makes and a literal in it closes, or sends to as its last
// act, once what it waits for has ended with an inherited context.
func (f *function) answered(comm ast.Stmt) bool {
	ch := f.receivesFrom(comm)
	if ch == nil || f.makeOf(ch) == nil {
		return false
	}
	closed, sent, others := false, false, false
	f.eachLiteral(func(lit *ast.FuncLit) {
		switch how := f.answers(lit, ch); {
		case how == token.CHAN && f.hears(lit):
			closed = true
		case how == token.ARROW && f.hears(lit):
			sent = true
		case f.sends(lit, ch):
			others = true
		}
	})
	return closed || sent && !others
}

// receivesFrom returns the variable from which a case receives, or nil.
func (f *function) receivesFrom(comm ast.Stmt) types.Object {
	var from ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		from = s.X
	case *ast.AssignStmt:
		from = s.Rhs[0]
	}
	recv, ok := from.(*ast.UnaryExpr)
	if !ok || recv.Op != token.ARROW {
		return nil
	}
	return f.variable(recv.X)
}

func (f *function) variable(e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	return f.source.info.Uses[id]
}

// makeOf returns the call by which the function makes the channel that a variable of its own holds, or nil.
func (f *function) makeOf(ch types.Object) *ast.CallExpr {
	var made *ast.CallExpr
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			return true
		}
		for i, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			call, isCall := s.Rhs[i].(*ast.CallExpr)
			if ok && isCall && f.source.info.Defs[id] == ch && f.builtin(call, "make") {
				made = call
			}
		}
		return true
	})
	return made
}

func (f *function) builtin(call *ast.CallExpr, name string) bool {
	id, ok := call.Fun.(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	_, ok = f.source.info.Uses[id].(*types.Builtin)
	return ok
}

func (f *function) eachLiteral(do func(*ast.FuncLit)) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			do(lit)
		}
		return true
	})
}

// answers says what a literal surely does to a channel: CHAN for a close, deferred or as its last act, ARROW for a send as its last act.
func (f *function) answers(lit *ast.FuncLit, ch types.Object) token.Token {
	closes := func(call ast.Expr) bool {
		c, ok := call.(*ast.CallExpr)
		return ok && f.builtin(c, "close") && f.variable(c.Args[0]) == ch
	}
	for i, s := range lit.Body.List {
		last := i == len(lit.Body.List)-1
		switch s := s.(type) {
		case *ast.DeferStmt:
			if closes(s.Call) {
				return token.CHAN
			}
		case *ast.ExprStmt:
			if last && closes(s.X) {
				return token.CHAN
			}
		case *ast.SendStmt:
			if last && f.variable(s.Chan) == ch {
				return token.ARROW
			}
		}
	}
	return token.ILLEGAL
}

// sends reports whether a literal sends to a channel.
func (f *function) sends(lit *ast.FuncLit, ch types.Object) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SendStmt)
		found = found || ok && f.variable(s.Chan) == ch
		return !found
	})
	return found
}

// hears reports whether a literal waits with an inherited context, or waits for a group each member of which does.
func (f *function) hears(lit *ast.FuncLit) bool {
	if f.waitsWith(lit) {
		return true
	}
	group := f.groupOf(lit, "Wait")
	if group == nil {
		return false
	}
	found, all := false, true
	f.eachLiteral(func(member *ast.FuncLit) {
		if member != lit && f.groupOf(member, "Done") == group {
			found, all = true, all && f.waitsWith(member)
		}
	})
	return found && all
}

func (f *function) waitsWith(lit *ast.FuncLit) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Done" && f.inherited(sel.X) {
			found = true
		}
		wt, waits := f.waits.call(f.source.info, call)
		found = found || waits && f.inherited(call.Args[wt.arg]) || f.given(call)
		return !found
	})
	return found
}

// given reports whether a function value that can fail is called with an inherited context.
func (f *function) given(call *ast.CallExpr) bool {
	v, ok := f.variable(call.Fun).(*types.Var)
	if !ok {
		return false
	}
	sig, ok := v.Type().Underlying().(*types.Signature)
	return ok && typeset.ReturnsError(sig) && slices.ContainsFunc(call.Args, f.inherited)
}

// groupOf returns the wait group of which a literal calls a method, or nil.
func (f *function) groupOf(lit *ast.FuncLit, method string) types.Object {
	var group types.Object
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || f.calls(call) != "(*sync.WaitGroup)."+method {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			group = f.variable(sel.X)
		}
		return true
	})
	return group
}
