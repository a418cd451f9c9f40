package verify

import (
	"errors"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/knowledge/check"
)

// TestLibraries holds every row about a library against the library itself: what a row names exists and has the shape that the
// row says, and what has a context-taking twin has a row. The standard library is checked in the main module.
func TestLibraries(t *testing.T) {
	tables := knowledge.Builtin()
	rows := libraryRows(tables)
	pkgs := load(t, importPaths(rows))
	for _, err := range check.Truth(rows, func(path string) *types.Package { return pkgs[path] }) {
		t.Error(err)
	}
	for path, pkg := range pkgs {
		if !tables.Covers(path) {
			continue
		}
		for _, err := range check.Completeness(pkg, tables) {
			t.Error(err)
		}
	}
}

// TestFalseRows shows that the check can fail, in each of the ways that it is for, on a real package.
func TestFalseRows(t *testing.T) {
	const lib = "golang.org/x/sync/errgroup"
	pkgs := load(t, []string{lib})
	for row, want := range map[string]string{
		lib + ".NoSuch none":                                "no such function",
		lib + ".WithContext derives ctx=1":                  "no parameter 1",
		"(*" + lib + ".Group).Wait waits use=" + lib + ".X": "no such function",
		"(*" + lib + ".Group).Go calls func=0 field=Limit":  "field=Limit",
	} {
		rows, err := knowledge.Parse("row", strings.NewReader(row))
		if err != nil {
			t.Fatal(err)
		}
		errs := check.Truth(rows, func(path string) *types.Package { return pkgs[path] })
		if got := errors.Join(errs...); got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%s: got %v, want an error that says %q", row, got, want)
		}
	}
}

// libraryRows returns the rows that are about no package of the standard library.
func libraryRows(t *knowledge.Tables) []knowledge.Row {
	var rows []knowledge.Row
	for _, row := range t.Rows() {
		if !knowledge.IsStd(row.ImportPath()) {
			rows = append(rows, row)
		}
	}
	return rows
}

// importPaths returns the packages that rows name, each once.
func importPaths(rows []knowledge.Row) []string {
	seen := map[string]bool{}
	var paths []string
	add := func(name string) {
		if path, _, _ := knowledge.SplitName(name); name != "" && !seen[path] && !knowledge.IsStd(path) {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	for _, row := range rows {
		for _, name := range []string{row.Name, row.Use, row.Joined, row.Type} {
			add(name)
		}
	}
	return paths
}

// load reads the export data of the packages, all at once; a package that is not there has no entry.
func load(t *testing.T, paths []string) map[string]*types.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports,
	}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*types.Package{}
	for _, pkg := range pkgs {
		for _, err := range pkg.Errors {
			t.Errorf("%s: %v", pkg.PkgPath, err)
		}
		if len(pkg.Errors) == 0 {
			byPath[pkg.PkgPath] = pkg.Types
		}
	}
	return byPath
}
