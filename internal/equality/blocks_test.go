package equality

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	donebydriver "github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// irdump reports the number of blocks of every function: the same code must have the same SSA form under every driver, or
// what is found depends on who runs it. buildssa, for one, gives log.Fatal a body to learn from or none.
var irdump = &analysis.Analyzer{
	Name:     "irdump",
	Doc:      "report the number of blocks of every function",
	Requires: []*analysis.Analyzer{settings.Analyzer, ir.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, fn := range ir.Of(pass).Funcs {
			pass.Report(analysis.Diagnostic{Pos: fn.Pos(), Message: fmt.Sprintf("%s has %d blocks", fn, len(fn.Blocks))})
		}
		return nil, nil
	},
}

// dumpMain is the vet tool that this test binary is when the go command calls it.
func dumpMain() { unitchecker.Main(irdump, settings.Analyzer) }

// TestBlocks compares the counts on the packages written for the drivers, on one module of the cases, and on those that
// DONEBY_MODULES names.
func TestBlocks(t *testing.T) {
	for _, m := range slices.Concat([]module{written(t)}, cases(t)[:1], named(t)) {
		t.Run(m.name, func(t *testing.T) {
			want := dumpWith(t, m, "")
			if len(want) == 0 {
				t.Fatal("no functions")
			}
			t.Logf("%d functions", len(want))
			for _, engine := range []string{"plain", "full"} {
				if diff := difference("standalone", want, engine, dumpWith(t, m, engine)); diff != "" {
					t.Errorf("standalone and %s differ:\n%s", engine, diff)
				}
			}
			if diff := difference("standalone", want, "vet", dumpVet(t, m)); diff != "" {
				t.Errorf("standalone and vet differ:\n%s", diff)
			}
		})
	}
}

// dumpWith runs irdump in an engine of our own driver.
func dumpWith(t *testing.T, m module, engine string) []finding {
	t.Helper()
	report, err := donebydriver.Run(t.Context(), donebydriver.Options{
		Dir: m.dir, Patterns: []string{"./..."}, Config: settings.Default(),
		Analyzers: []*analysis.Analyzer{irdump}, Engine: engine, CacheDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Error(p)
	}
	var fs []finding
	for _, f := range report.Findings {
		fs = append(fs, finding{m.rel(t, f.File), f.Line, f.Col, f.Rule, f.Message})
	}
	return sorted(fs)
}

// dumpVet runs it as a vet tool. go vet looks into tests too, which do not count here.
func dumpVet(t *testing.T, m module) []finding {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	out := command{dir: m.dir}.run(t, "go", "vet", "-vettool="+self, "-json", "./...")
	return slices.DeleteFunc(parseVetJSON(t, m, out.stdout), func(f finding) bool { return strings.HasSuffix(f.file, "_test.go") })
}
