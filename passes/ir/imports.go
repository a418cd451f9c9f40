package ir

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Imports returns the packages that the files of the package import, its tests left out: with and without them a package has
// the same ones in sight.
func Imports(pass *analysis.Pass) []*types.Package {
	var out []*types.Package
	seen := make(map[*types.Package]bool)
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.PositionFor(f.Package, false).Filename, "_test.go") {
			continue
		}
		for _, spec := range f.Imports {
			name := pass.TypesInfo.PkgNameOf(spec)
			if name == nil || seen[name.Imported()] {
				continue // of a package that does not compile; or a second time
			}
			seen[name.Imported()] = true
			out = append(out, name.Imported())
		}
	}
	return out
}
