package rowtest

import (
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/knowledge"
)

// loadStd reads the standard library, once for this test binary.
func loadStd(t *testing.T) Libraries {
	t.Helper()
	libs, err := std()
	if err != nil {
		t.Fatal(err)
	}
	return libs
}

var std = sync.OnceValues(func() (Libraries, error) {
	libs := Libraries{token.NewFileSet(), map[string]*types.Package{}}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile,
		Env:  append(os.Environ(), "GOOS=linux", "GOFLAGS=", "GOWORK=off"), // the tables speak of syscall as linux has it
		Fset: libs.Fset,
	}, "std")
	for _, p := range pkgs {
		libs.Pkgs[p.PkgPath] = p.Types
	}
	return libs, err
})

func stdRows() []knowledge.Row {
	return slices.DeleteFunc(knowledge.Builtin().Rows(), func(r knowledge.Row) bool { return !knowledge.IsStd(r.ImportPath()) })
}

// TestStd uses every row about the standard library.
func TestStd(t *testing.T) {
	rows := stdRows()
	Run(t, loadStd(t), rows, rows).Hold(t, map[string]int{
		"the function that it calls has a context of its own": 6,  // its waits are judged in it
		"nothing in the tables makes the handle":              6,  // a process, a listener; rows that a driver makes
		"nothing in the tables puts it on a connection":       17, // files, listeners, parts of a message
		"nothing in the tables waits on what it makes":        12, // pipes, an RPC client
		"what it registers are the methods of a value":        4,  // net/rpc
	}, nil)
}

// TestFalseRows shows that the test can fail: by a row that promises other than the analysis says, and by one of which the
// name is no call's.
func TestFalseRows(t *testing.T) {
	libs := loadStd(t)
	w := newWorld(libs.Pkgs, stdRows())
	for row, want := range map[string]string{
		"(*database/sql.DB).Ping none":                       `the verdict is "ctxless/call", not ""`,
		"(*database/sql.DB).Ping waits meant":                `the verdict is "ctxless/call", not ""`,
		"(*database/sql.DB).Ping waits default=5s":           `the verdict is "ctxless/call", not "fixedtimeout/default"`,
		"(*database/sql.DB).PingContext waits":               `the verdict is "", not "ctxless/call"`,
		"(*net/http.Server).RegisterOnShutdown calls func=0": `the verdict is "", not "ctxless/call"`,
		"os.Getpid exits":                                    "the call does not find the row",
		"context.WithTimeout derives ctx=0":                  `the verdict is "fixedtimeout/root", not "detached/root"`,
		"(*net.TCPConn).Read waits io":                       "not shown at all",
	} {
		rows, err := knowledge.Parse("row", strings.NewReader(row))
		if err != nil {
			t.Fatal(err)
		}
		report := Report{Verbs: map[knowledge.Verb]int{}, Skips: map[string][]string{}}
		got := strings.Join(newProgram(w, rows[0].ImportPath(), rows, &report).wrong(t, libs), "\n")
		if len(report.Unused) > 0 {
			got = "not shown at all"
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}
