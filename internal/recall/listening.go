package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// listening returns the ways in which the function can be made not to hear its context: where it waits beside Done, where a
// loop asks it before the next round, where a helper that retries is given it, where it goes on after a group.
func (f *function) listening() []*site {
	var sites []*site
	groups := f.groups()
	var path []ast.Node
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		var s *site
		switch n := n.(type) {
		case *ast.SelectStmt:
			s = f.deafened(n, path)
		case *ast.IfStmt:
			s = f.untested(n, path)
		case *ast.CallExpr:
			if s = f.withoutOption(n, path); s == nil {
				s = f.afterGroup(n, groups, regionOf(path))
			}
		}
		if s != nil {
			pos := f.fset.Position(n.Pos())
			s.class, s.line, s.col = byContext, pos.Line, pos.Column
			sites = append(sites, s)
		}
		return true
	})
	return sites
}

// deafened takes the case of Done out of a select that has one other case, and no default.
func (f *function) deafened(sel *ast.SelectStmt, path []ast.Node) *site {
	if len(sel.Body.List) != 2 {
		return nil
	}
	done, other := sel.Body.List[0].(*ast.CommClause), sel.Body.List[1].(*ast.CommClause)
	if !f.onInherited(done.Comm) {
		done, other = other, done
	}
	if !f.onInherited(done.Comm) || f.onInherited(other.Comm) || other.Comm == nil || f.answered(other.Comm) || f.firstInRoom(other.Comm, path) {
		return nil
	}
	blank := edit{f.offset(done.Pos()), f.offset(done.End()), f.newlines(done)}
	if d := f.after(other.Comm); d != "" && !breaks(other) {
		return &site{kind: sleep, callee: "time.Sleep", edits: []edit{
			{f.offset(sel.Select), f.offset(sel.Body.Lbrace), ""}, blank,
			{f.offset(other.Case), f.offset(other.Colon) + 1, d + ";"},
		}}
	}
	return &site{kind: deaf, callee: "select", edits: []edit{blank}}
}

// onInherited reports whether a case receives from the Done of a context that came from a carrier in reach.
func (f *function) onInherited(comm ast.Stmt) bool {
	if comm == nil || !onDone(comm) {
		return false
	}
	call := comm.(*ast.ExprStmt).X.(*ast.UnaryExpr).X.(*ast.CallExpr)
	return f.inherited(call.Fun.(*ast.SelectorExpr).X)
}

// after returns the sleep that a case on time.After amounts to.
func (f *function) after(comm ast.Stmt) string {
	s, ok := comm.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	recv, ok := s.X.(*ast.UnaryExpr)
	if !ok {
		return ""
	}
	call, ok := recv.X.(*ast.CallExpr)
	if !ok || f.calls(call) != "time.After" {
		return ""
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	return f.textOf(fun.X) + ".Sleep(" + f.textOf(call.Args[0]) + ")"
}

// breaks reports whether a case leaves its select, which outside of one would leave a loop.
func breaks(clause *ast.CommClause) bool {
	found := false
	ast.Inspect(clause, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.BREAK && b.Label == nil
		return !found
	})
	return found
}

// untested takes out the test of Err that is all by which a loop hears its context.
func (f *function) untested(test *ast.IfStmt, path []ast.Node) *site {
	loop := loopAround(path)
	if loop == nil || test.Else != nil || !leaves(test.Body) || over(test, path) || f.workEnds(loop) || f.asks(test.Cond)+f.askedIn(test.Init) != 1 || f.asks(loop) != 1 {
		return nil
	}
	gone := edit{f.offset(test.Pos()), f.offset(test.End()), f.newlines(test)}
	if or, ok := test.Cond.(*ast.BinaryExpr); ok {
		switch or.Op {
		case token.LOR: // the other side stays
			side := or.X
			if f.asks(side) == 0 {
				side = or.Y
			}
			gone = edit{f.offset(side.Pos()), f.offset(side.End()), "false"}
		case token.LAND:
			return nil
		}
	}
	return &site{kind: untested, callee: "Err", edits: []edit{gone}}
}

func (f *function) askedIn(init ast.Stmt) int {
	if init == nil {
		return 0
	}
	return f.asks(init)
}

// asks counts the places where Err or Done of an inherited context is called.
func (f *function) asks(n ast.Node) int {
	count := 0
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Err" || sel.Sel.Name == "Done") && f.inherited(sel.X) {
				count++
			}
		}
		return true
	})
	return count
}

// loopAround returns the for statement, not over a range, that goes around the last of path in the same function.
func loopAround(path []ast.Node) *ast.ForStmt {
	for i := len(path) - 2; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ForStmt:
			return n
		case *ast.FuncLit, *ast.RangeStmt, *ast.SelectStmt:
			return nil
		}
	}
	return nil
}

func leaves(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch s := body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK
	}
	return false
}

// withoutOption takes the context from a helper that retries.
func (f *function) withoutOption(call *ast.CallExpr, path []ast.Node) *site {
	name := f.calls(call)
	switch {
	case strings.HasPrefix(name, "github.com/cenkalti/backoff/") && strings.HasSuffix(name, ".WithContext"):
		if len(call.Args) == 2 && f.inherited(call.Args[1]) {
			return &site{kind: option, callee: name, edits: []edit{{f.offset(call.Pos()), f.offset(call.End()), f.textOf(call.Args[0])}}}
		}
	case strings.HasPrefix(name, "github.com/avast/retry-go") && strings.HasSuffix(name, ".Context"):
		if len(call.Args) != 1 || !f.inherited(call.Args[0]) || len(path) < 2 {
			return nil
		}
		if outer, ok := path[len(path)-2].(*ast.CallExpr); ok && outer.Fun != call {
			if e, ok := f.dropArg(outer, call); ok {
				return &site{kind: option, callee: name, edits: []edit{e}}
			}
		}
	}
	return nil
}

// dropArg removes an argument with the comma after it, or before it.
func (f *function) dropArg(outer *ast.CallExpr, arg ast.Expr) (edit, bool) {
	end := f.offset(arg.End())
	rest := string(f.text[end:f.offset(outer.Rparen)])
	if i := strings.IndexByte(rest, ','); i >= 0 && strings.TrimSpace(rest[:i]) == "" {
		return edit{f.offset(arg.Pos()), end + i + 1, f.newlines(arg)}, true
	}
	for i, a := range outer.Args {
		if a == arg && i > 0 {
			return edit{f.offset(outer.Args[i-1].End()), end, f.newlines(arg)}, true
		}
	}
	return edit{}, false
}

// calls returns the full name of the function that is called, or "".
func (f *function) calls(call *ast.CallExpr) string {
	fn, ok := typeutil.Callee(f.source.info, call).(*types.Func)
	if !ok {
		return ""
	}
	return fn.Origin().FullName()
}

func (f *function) textOf(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

// newlines returns as many line ends as n has, so that what takes its place moves no line.
func (f *function) newlines(n ast.Node) string {
	return strings.Repeat("\n", strings.Count(f.textOf(n), "\n"))
}
