package rewrites

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/summaries"
)

// site is a call that a verdict is about, at which a context is in reach that can be written there.
type site struct {
	pass  *analysis.Pass
	v     summaries.Verdict
	file  *ast.File
	path  []ast.Node // the nodes around the call, from the inside out, the call first
	call  *ast.CallExpr
	fn    *types.Func // what is called
	value *ssa.Call   // the same call
	flow  *flow
	ctx   string // the context, as it can be written at the call
	exact bool   // its type is context.Context itself
}

// siteOf finds the call, and whether a context can be given to it there; nil says that no fix is safe.
func siteOf(pass *analysis.Pass, v summaries.Verdict) *site {
	if v.Ctx == "" || v.Carrier.Param == nil || v.In == nil {
		return nil // nothing to inherit
	}
	if !v.Joined {
		return nil // something waits that may go on when the context is over
	}
	s := &site{pass: pass, v: v, ctx: v.Ctx, flow: newFlow(pass), value: callAt(v.In, v.Pos)}
	if s.value == nil || !s.find() {
		return nil // not a plain call in the source: started, deferred, or made by the compiler
	}
	for _, n := range s.path {
		switch n.(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			return nil
		case *ast.FuncLit, *ast.FuncDecl:
			return s.inFunction()
		}
	}
	return nil
}

// inFunction checks that the function at hand, and each between it and the one with the context, is called at once.
func (s *site) inFunction() *site {
	for fn := s.v.In; fn != s.v.Carrier.Param.Parent(); fn = fn.Parent() {
		if fn == nil || !s.flow.calledAtOnce(fn) {
			return nil
		}
	}
	if !s.resolves() {
		return nil
	}
	return s
}

// find finds the call in the syntax.
func (s *site) find() bool {
	for _, f := range s.pass.Files {
		if f.FileStart <= s.v.Pos && s.v.Pos < f.FileEnd {
			s.file = f
		}
	}
	if s.file == nil {
		return false
	}
	path, _ := astutil.PathEnclosingInterval(s.file, s.v.Pos, s.v.Pos)
	for i, n := range path {
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen == s.v.Pos {
			s.path, s.call = path[i:], c
			s.fn, _ = typeutil.Callee(s.pass.TypesInfo, c).(*types.Func)
			return s.fn != nil
		}
	}
	return false
}

// name is the full name of what is called.
func (s *site) name() string { return typeset.FullName(s.fn) }

// callAt returns the plain call at a position.
func callAt(fn *ssa.Function, pos token.Pos) *ssa.Call {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && c.Pos() == pos {
				return c
			}
		}
	}
	return nil
}

// edit is a change of the text from one position to another.
func edit(from, to token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: from, End: to, NewText: []byte(text)}
}

// first puts the context before the arguments.
func (s *site) first() analysis.TextEdit {
	at := s.call.Lparen + 1
	if len(s.call.Args) == 0 {
		return edit(at, at, s.ctx)
	}
	at = s.call.Args[0].Pos()
	return edit(at, at, s.ctx+", ")
}

// rename calls another function of the same package or receiver.
func (s *site) rename(name string) (analysis.TextEdit, bool) {
	switch fun := ast.Unparen(s.call.Fun).(type) {
	case *ast.SelectorExpr:
		return edit(fun.Sel.Pos(), fun.Sel.End(), name), true
	case *ast.Ident:
		return edit(fun.Pos(), fun.End(), name), true
	}
	return analysis.TextEdit{}, false // an instance, F[int]
}
