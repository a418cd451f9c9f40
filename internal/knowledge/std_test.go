package knowledge_test

import (
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/knowledge/check"
)

// std returns the packages of the standard library that programs can import, by path. The one load of this test binary.
var std = sync.OnceValues(func() (map[string]*types.Package, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile,
		Env:  append(os.Environ(), "GOOS=linux", "GOFLAGS=", "GOWORK=off"), // the tables speak of syscall as linux has it
	}
	pkgs, err := packages.Load(cfg, "std")
	byPath := map[string]*types.Package{}
	for _, p := range pkgs {
		if p.Types != nil && p.PkgPath != "unsafe" {
			byPath[p.PkgPath] = p.Types
		}
	}
	return byPath, err
})

func loadStd(t *testing.T) map[string]*types.Package {
	t.Helper()
	pkgs, err := std()
	if err != nil || len(pkgs) < 150 {
		t.Fatalf("cannot load the standard library: %d packages, %v", len(pkgs), err)
	}
	return pkgs
}

// stdRows returns the rows about the standard library.
func stdRows() []knowledge.Row {
	return slices.DeleteFunc(knowledge.Builtin().Rows(), func(r knowledge.Row) bool { return !knowledge.IsStd(r.ImportPath()) })
}

func TestStdTruth(t *testing.T) {
	pkgs := loadStd(t)
	rows := stdRows()
	if len(rows) < 700 {
		t.Errorf("only %d rows about the standard library", len(rows))
	}
	for _, err := range check.Truth(rows, func(path string) *types.Package { return pkgs[path] }) {
		t.Error(err)
	}
}

func TestStdCompleteness(t *testing.T) {
	tables := knowledge.Builtin()
	for path, pkg := range loadStd(t) {
		if isInternal(path) {
			continue
		}
		for _, err := range slices.Concat(check.Completeness(pkg, tables), check.Contexts(pkg, tables)) {
			t.Error(err)
		}
	}
}

// isInternal reports whether programs cannot import the package.
func isInternal(path string) bool {
	parts := strings.Split(path, "/")
	return slices.Contains(parts, "internal") || parts[0] == "vendor"
}
