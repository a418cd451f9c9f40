package policy

import (
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/settings"
)

// Own reports whether the package is the user's own: analysed, and findings in it reported. It is decided here only, from
// what every driver provides:
//
//   - the own key of the settings claims what it names;
//   - a module with a path is own iff it has no version: the main module and those of the workspace have none (Main does
//     not say it: under go vet it is false for all);
//   - without a module (nogo, analysistest, the standard library) a package is own unless it is one of the standard library
//     or one that the tables speak about.
func Own(pass *analysis.Pass) bool {
	cfg := settings.Of(pass)
	path := strings.TrimSuffix(pass.Pkg.Path(), ".test")
	path, _, _ = strings.Cut(path, " [") // p [p.test]
	if cfg.OwnPath(path) {
		return true
	}
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Version == ""
	}
	tested := strings.TrimSuffix(path, "_test") // the external tests of a package come with it
	if knowledge.IsStd(path) || knowledge.IsStd(tested) || strings.HasPrefix(path, "vendor/") {
		return false // vendor/ is what the standard library brings along
	}
	tables := cfg.Knowledge()
	return !tables.Covers(path) && !tables.Covers(tested)
}
