package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/typeset"
)

// A mutant that waits no longer than the code did is no defect, and no site. Two kinds of them are told by the source alone, without
// the passes, which would otherwise say what they are to be measured by:
//
//   - the loop does not go on after the test of Err anyway, or the next round begins with a call that is given the context, and leaves
//     when that fails: only the error differs;
//   - what is received comes from a goroutine of the same function that hears the context itself, and sends or closes then;
//   - what is sent is the first thing in a channel that the function has just made with room for it;
//   - the function is only ever called with a context that does not end, in its package, where alone it can be called.
//
// What else turns out to be harmless stays counted as missed.

// over reports whether the statements after a test leave the loop, so that without the test it does not go on either.
func over(test *ast.IfStmt, path []ast.Node) bool {
	block, ok := path[len(path)-2].(*ast.BlockStmt)
	if !ok || len(path) < 3 {
		return false
	}
	if loop, ok := path[len(path)-3].(*ast.ForStmt); ok && loop.Body == block {
		return false // what leaves there is no loop
	}
	return block.List[len(block.List)-1] != test && leaves(block)
}

// workEnds reports whether each round of a loop makes a call that is given an inherited context, and leaves when that fails.
func (f *function) workEnds(loop *ast.ForStmt) bool {
	for i, s := range loop.Body.List {
		if test, ok := s.(*ast.IfStmt); ok && test.Init != nil && f.fails(test.Init) && onError(test) {
			return true
		}
		if continues(s) {
			return false // some rounds do not come to what follows
		}
		if i+1 < len(loop.Body.List) && f.fails(s) {
			if test, ok := loop.Body.List[i+1].(*ast.IfStmt); ok && test.Init == nil && onError(test) {
				return true
			}
		}
	}
	return false
}

func continues(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.CONTINUE
		return !found
	})
	return found
}

// fails reports whether a statement keeps the error of a call that is given an inherited context.
func (f *function) fails(s ast.Stmt) bool {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return false
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	sig, ok := f.source.info.TypeOf(call.Fun).(*types.Signature)
	return ok && typeset.ReturnsError(sig) && slices.ContainsFunc(call.Args, f.inherited)
}

// onError reports whether a test leaves where some variable is not nil.
func onError(test *ast.IfStmt) bool {
	cond, ok := test.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ {
		return false
	}
	id, ok := cond.Y.(*ast.Ident)
	return ok && id.Name == "nil" && leaves(test.Body)
}

// firstInRoom reports whether a case sends to a channel that the function has made with room, before any other send to it, and not in a
// loop or literal.
func (f *function) firstInRoom(comm ast.Stmt, path []ast.Node) bool {
	s, ok := comm.(*ast.SendStmt)
	if !ok || slices.ContainsFunc(path, goesRound) {
		return false
	}
	ch := f.variable(s.Chan)
	if ch == nil || !f.madeWithRoom(ch) {
		return false
	}
	first := true
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		other, ok := n.(*ast.SendStmt)
		first = first && !(ok && other.Pos() < s.Pos() && f.variable(other.Chan) == ch)
		return first
	})
	return first
}

func goesRound(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.LabeledStmt:
		return true
	}
	return false
}

// madeWithRoom reports whether the function makes the channel of a variable with a constant room above nought.
func (f *function) madeWithRoom(ch types.Object) bool {
	call := f.makeOf(ch)
	if call == nil || len(call.Args) != 2 {
		return false
	}
	size := f.source.info.Types[call.Args[1]].Value
	return size != nil && constant.Sign(size) > 0
}

// rooted finds the functions of a package that only its own calls reach, each with a context that does not end.
func rooted(p *packages.Package) map[*types.Func]bool {
	uses, roots := map[*types.Func]int{}, map[*types.Func]int{}
	for _, obj := range p.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && !fn.Exported() {
			uses[fn]++
		}
	}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func)
			if !ok || uses[fn] == 0 {
				return true
			}
			if i := typeset.ContextParam(fn.Signature()); i >= 0 && i < len(call.Args) && isRoot(p.TypesInfo, call.Args[i]) {
				roots[fn]++
			}
			return true
		})
	}
	out := map[*types.Func]bool{}
	for fn, n := range roots {
		out[fn] = n == uses[fn]
	}
	return out
}

func isRoot(info *types.Info, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	return ok && (fn.FullName() == "context.Background" || fn.FullName() == "context.TODO")
}
