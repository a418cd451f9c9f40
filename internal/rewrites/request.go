package rewrites

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// methods names the HTTP method that each short form sends.
var methods = map[string]string{
	"net/http.Get": "MethodGet", "net/http.Head": "MethodHead", "net/http.Post": "MethodPost",
	"(*net/http.Client).Get": "MethodGet", "(*net/http.Client).Head": "MethodHead", "(*net/http.Client).Post": "MethodPost",
}

// request turns `resp, err := http.Get(u)` followed by `if err != nil { return … }` into a request made with the context,
// the same test, and Do. That the test can stand twice is what makes it safe.
func request(s *site) *analysis.SuggestedFix {
	method, http := methods[s.name()], s.imported("net/http")
	as, ok := s.path[1].(*ast.AssignStmt)
	if method == "" || http == "" || !ok || as.Tok != token.DEFINE || len(as.Lhs) != 2 {
		return nil
	}
	client, ok := s.client(http)
	req := s.free("req", "request", "httpReq")
	test := s.failure(as)
	if !ok || req == "" || test == nil || s.pass.TypesInfo.Defs[as.Lhs[0].(*ast.Ident)] == nil {
		return nil
	}
	indent := strings.Repeat("\t", s.pass.Fset.PositionFor(as.Pos(), false).Column-1)
	url := s.call.Args[0]
	if s.commented(url.End(), as.End()) {
		return nil
	}
	head := req + ", " + text(s, as.Lhs[1]) + " := " + http + ".NewRequestWithContext(" + s.ctx + ", " + http + "." + method + ", "
	body := "nil"
	tail := "\n" + text(s, test)
	if method == "MethodPost" {
		kind := s.call.Args[1]
		if hasCall(s, kind) {
			return nil
		}
		body = text(s, s.call.Args[2])
		tail += "\n" + req + `.Header.Set("Content-Type", ` + text(s, kind) + ")"
	}
	tail += "\n" + text(s, as.Lhs[0]) + ", " + text(s, as.Lhs[1]) + " := " + client + ".Do(" + req + ")"
	return &analysis.SuggestedFix{
		Message: "Send the request with " + s.ctx,
		TextEdits: []analysis.TextEdit{
			edit(as.Pos(), url.Pos(), head),
			edit(url.End(), as.End(), ", "+body+")"+strings.ReplaceAll(tail, "\n", "\n"+indent)),
		},
	}
}

// client returns the client that the call uses.
func (s *site) client(http string) (string, bool) {
	if s.fn.Signature().Recv() == nil {
		return http + ".DefaultClient", true
	}
	sel, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
	if !ok || hasCall(s, sel.X) {
		return "", false // it would be called later than it was
	}
	return text(s, sel.X), true
}

// free returns the first of the names that means nothing here.
func (s *site) free(names ...string) string {
	for _, n := range names {
		if s.lookup(n, token.NoPos) == nil {
			return n
		}
	}
	return ""
}

// failure returns the statement after the assignment if it is a test of the error that returns, and says nothing of the
// response.
func (s *site) failure(as *ast.AssignStmt) *ast.IfStmt {
	resp, ok1 := as.Lhs[0].(*ast.Ident)
	err, ok2 := as.Lhs[1].(*ast.Ident)
	list := statements(s.path[2])
	i := slices.Index(list, ast.Stmt(as))
	if !ok1 || !ok2 || resp.Name == "_" || err.Name == "_" || i < 0 || i+1 >= len(list) {
		return nil
	}
	test, ok := list[i+1].(*ast.IfStmt)
	if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 {
		return nil
	}
	cond, ok := test.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || text(s, cond.X) != err.Name || text(s, cond.Y) != "nil" {
		return nil
	}
	ret, ok := test.Body.List[0].(*ast.ReturnStmt)
	if !ok || !mentions(s, ret, s.pass.TypesInfo.ObjectOf(err)) || mentions(s, ret, s.pass.TypesInfo.ObjectOf(resp)) {
		return nil // the error is not returned, or there is more to it
	}
	return test
}

// statements returns the statements of a block or a case.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// mentions reports whether a node names the object.
func mentions(s *site, n ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && s.pass.TypesInfo.Uses[id] == obj
		return !found
	})
	return found
}
