package entrypoints

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
)

// testCode says how much of a package is there for tests.
type testCode struct {
	named bool                 // its name or path says that all of it is
	some  bool                 // a file imports a library made for tests
	whole bool                 // so many files do that the rest serve them
	files map[*token.File]bool // those files
}

// fewFiles is the share, one in so many, of files with a test library from which on a package is taken for a helper of tests: a
// package at work has a double or a test environment beside its dozens of files (one of 40 in hashicorp/raft, three of 75 in
// go.temporal.io/sdk/internal); a package of helpers keeps what needs no *testing.T in files of its own.
const fewFiles = 8

// testsIn looks at the files of a package that are no tests themselves, and that no tool wrote, as it writes mocks beside their
// interface.
func testsIn(pass *analysis.Pass) testCode {
	t := testCode{files: make(map[*token.File]bool)}
	t.named = NamedForTests(pass.Pkg)
	all := 0
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.PositionFor(f.Package, false).Filename, "_test.go") || ast.IsGenerated(f) {
			continue
		}
		all++
		if ImportsTestLibrary(f) {
			t.files[pass.Fset.File(f.Package)] = true
		}
	}
	t.some = len(t.files) > 0
	t.whole = t.named || len(t.files)*fewFiles >= all && t.some
	return t
}

// TestCode reports whether fn is there for tests: its package is, or its file imports a library made for them beside many files
// that do not.
func (r *Result) TestCode(fn *ssa.Function) bool {
	if r.tests.whole || !r.tests.some {
		return r.tests.whole
	}
	fn = ssawalk.Outermost(fn)
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pos().IsValid() && r.tests.files[fn.Prog.Fset.File(fn.Pos())]
}

// NamedForTests reports whether a package's name or path says that it is there for tests.
func NamedForTests(p *types.Package) bool {
	return namedForTests(p.Name()) ||
		hasElement(p, "test", "tests", "testutil", "testutils", "testhelper", "testhelpers", "testsuite", "testserver",
			"integration_test", "integration_tests", "e2e", "mock", "mocks", "mockserver")
}

// atWork lists what programs at work use of a library made for tests: they keep an answer to look at it before it is sent, or ask whether
// they are under test.
var atWork = map[string][]string{
	"net/http/httptest": {"DefaultRemoteAddr", "NewRecorder", "NewRequest", "NewRequestWithContext", "ResponseRecorder"},
	"testing":           {"Init", "Testing"},
}

// ImportsTestLibrary reports whether a file imports a library made for tests, and more of it than programs at work use.
func ImportsTestLibrary(f *ast.File) bool {
	for _, imp := range f.Imports {
		lib := importPath(imp)
		if knowledge.IsTestLibrary(lib) && (atWork[lib] == nil || usesMore(f, imp, atWork[lib])) {
			return true
		}
	}
	return false
}

// usesMore reports whether a file uses anything of an import but the names that are listed.
func usesMore(f *ast.File, imp *ast.ImportSpec, listed []string) bool {
	name := path.Base(importPath(imp))
	if imp.Name != nil {
		name = imp.Name.Name
	}
	more := name == "." // nobody can tell
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x, ok := sel.X.(*ast.Ident)
			more = more || ok && x.Name == name && !slices.Contains(listed, sel.Sel.Name)
		}
		return !more
	})
	return more
}

func importPath(imp *ast.ImportSpec) string { return strings.Trim(imp.Path.Value, "\"`") }

func importsOne(f *ast.File, is func(path string) bool) bool {
	return slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool { return is(importPath(imp)) })
}
