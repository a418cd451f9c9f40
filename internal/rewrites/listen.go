package rewrites

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/summaries"
)

// listen makes of a bare send, receive or sleep a select that also has a case for the end of the context, where the function can
// return that error:
//
//	select {
//	case results <- n:
//	case <-ctx.Done():
//		return ctx.Err()
//	}
func listen(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) []analysis.SuggestedFix {
	p := &pause{pass: pass, v: v}
	if v.Carrier.Param == nil || !p.find(sums) {
		return nil
	}
	wait := p.wait()
	values, ok := p.zeroes()
	if wait == "" || strings.Contains(wait, "\n") || !ok || p.owes() || !p.reachable() {
		return nil
	}
	tabs := strings.Repeat("\t", pass.Fset.Position(p.stmt.Pos()).Column-1)
	lines := []string{"select {", "case " + wait + ":", "case <-" + v.Ctx + ".Done():", "\treturn " + values + v.Ctx + ".Err()", "}"}
	text := strings.Join(lines, "\n"+tabs)
	return []analysis.SuggestedFix{{Message: "Listen to " + v.Ctx, TextEdits: []analysis.TextEdit{edit(p.stmt.Pos(), p.stmt.End(), text)}}}
}

// pause is a statement that does nothing but wait.
type pause struct {
	pass *analysis.Pass
	v    summaries.Verdict
	stmt ast.Stmt
	fn   *ast.FuncType // of the function that waits
	body *ast.BlockStmt
}

// find finds the statement, which must stand in a list of its own and begin its line, and its function.
func (p *pause) find(sums *summaries.Result) bool {
	pos, end := sums.Range(p.v)
	for _, f := range p.pass.Files {
		if pos < f.FileStart || f.FileEnd <= pos {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, pos, end)
		for i, n := range path {
			switch n := n.(type) {
			case *ast.SendStmt, *ast.ExprStmt:
				if p.stmt == nil && i+1 < len(path) && holds(path[i+1]) {
					p.stmt = n.(ast.Stmt)
				}
			case *ast.DeferStmt, *ast.GoStmt:
				if p.stmt == nil {
					return false
				}
			case *ast.FuncLit:
				p.fn, p.body = n.Type, n.Body
				return p.stmt != nil
			case *ast.FuncDecl:
				p.fn, p.body = n.Type, n.Body
				return p.stmt != nil
			}
		}
	}
	return false
}

// holds reports whether a node is a list of statements, each on a line of its own.
func holds(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// wait returns what the case of the select waits for, or "".
func (p *pause) wait() string {
	switch s := p.stmt.(type) {
	case *ast.SendStmt:
		return p.source(s.Chan) + " <- " + p.source(s.Value)
	case *ast.ExprStmt:
		switch x := s.X.(type) {
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				return p.source(x)
			}
		case *ast.CallExpr:
			sel, ok := x.Fun.(*ast.SelectorExpr)
			if ok && p.v.Kind == "sleep" && len(x.Args) == 1 {
				return "<-" + p.source(sel.X) + ".After(" + p.source(x.Args[0]) + ")"
			}
		}
	}
	return ""
}

// source returns an expression in gofmt's form.
func (p *pause) source(e ast.Expr) string {
	var out bytes.Buffer
	if format.Node(&out, p.pass.Fset, e) != nil {
		return types.ExprString(e)
	}
	return out.String()
}

// zeroes returns what is returned before the error, each followed by a comma; false when the function returns no error last,
// or something whose zero value cannot be written shortly.
func (p *pause) zeroes() (string, bool) {
	if p.fn.Results == nil {
		return "", false
	}
	var all []types.Type
	for _, f := range p.fn.Results.List {
		for range max(1, len(f.Names)) {
			all = append(all, p.pass.TypesInfo.TypeOf(f.Type))
		}
	}
	last := len(all) - 1
	if last < 0 || !typeset.IsError(all[last]) {
		return "", false
	}
	var out strings.Builder
	for _, t := range all[:last] {
		z := zero(t)
		if z == "" {
			return "", false
		}
		out.WriteString(z + ", ")
	}
	return out.String(), true
}

// zero returns how the zero value of a type is written, "" where that takes its name.
func zero(t types.Type) string {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil"
	}
	return ""
}

// owes reports whether the function still has to give something back after the wait, other than by defer: a lock, a slot, a
// file. To return early would keep it.
func (p *pause) owes() bool {
	found := false
	ast.Inspect(p.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || n.Pos() > p.stmt.End() && givesBack(n)
		}
		return true
	})
	return found
}

// givesBack reports whether a call's name says that it gives something back or ends it.
func givesBack(c *ast.CallExpr) bool {
	name := ""
	switch f := c.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	name = strings.ToLower(name)
	for _, word := range [...]string{"unlock", "runlock", "close", "stop", "release", "done", "cancel", "rollback", "commit", "put", "free"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// reachable reports whether the expression for the context means the carrier where the wait stands.
func (p *pause) reachable() bool {
	expr, err := parser.ParseExpr(p.v.Ctx)
	if err != nil {
		return false
	}
	id, at := leftmost(expr), p.stmt.Pos()
	scope := p.pass.Pkg.Scope().Innermost(at)
	if id == nil || scope == nil {
		return false
	}
	if _, obj := scope.LookupParent(id.Name, at); obj != p.v.Carrier.Param.Object() {
		return false
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	if err := types.CheckExpr(p.pass.Fset, p.pass.Pkg, at, expr, info); err != nil {
		return false
	}
	return typeset.IsContext(info.Types[expr].Type)
}
