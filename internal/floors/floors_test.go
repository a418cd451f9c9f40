// Package floors holds the tests of the house: which package may import which, and the shape of folders, files and functions.
package floors

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/doneby/doneby"

// floors lists the packages from the ground up. An arrow goes only down: to a lower floor, or on the same floor to a package
// that stands before. A pattern stands for packages that know nothing of each other.
var floors = [][]string{
	0: {"internal/knowledge", "internal/knowledge/check", "internal/kinds"},
	1: {"internal/words", "internal/typeset", "internal/ssawalk", "internal/trace", "internal/ruledoc", "internal/passtest"},
	2: {
		"passes/settings", "internal/policy", "internal/ruletest", // ruletest sets the settings under which it runs a rule
		"passes/ir", "passes/durations", "passes/entrypoints", "passes/contexts", "passes/channels", "passes/loops", "passes/summaries", "passes/servers", "passes/accepts", "passes/clocks", "passes/budgets", "passes/wires",
		"internal/rewrites", "internal/rowtest",
	},
	3: {"analyzers/*"},
	4: {"analyzers/ignores"},
	5: {"internal/driver", "internal/gate", "internal/cover", "internal/plumb", "analyzers", "internal/gen", "internal/gen/fixes", "internal/gen/stamp", "internal/score", "internal/recall"},
	6: {"cmd/*", "internal/floors", "internal/equality", "internal/demo"},
}

// forTests lists what only tests import.
var forTests = []string{"internal/passtest", "internal/ruletest", "internal/rowtest"}

// place is where a package stands: its floor, and its order there.
type place struct{ floor, order int }

// placeOf finds a package of the module by its path below the module's.
func placeOf(pkg string) (place, bool) {
	for exact := range 2 { // analyzers/ignores is not one of analyzers/*
		for floor, names := range floors {
			for order, name := range names {
				if match, _ := path.Match(name, pkg); match && (exact == 1 || name == pkg) {
					return place{floor, order}, true
				}
			}
		}
	}
	return place{}, false
}

// wrong says what is wrong with an arrow between packages of the module, or "". A test may look at all of its own floor: it
// is nobody's import.
func wrong(from, to string, test bool) string {
	if from == to {
		return "" // an external test
	}
	if to == "deadline" || strings.HasPrefix(to, "deadline/") {
		return from + " imports " + to + ": the linter knows the runtime package by its path, as text"
	}
	if !test && slices.Contains(forTests, to) && !slices.Contains(forTests, from) {
		return from + " imports " + to + ": only tests do"
	}
	f, ok := placeOf(from)
	t, ok2 := placeOf(to)
	switch {
	case !ok || !ok2:
		return from + " imports " + to + ", and one of them has no floor: give it one in floors_test.go"
	case t.floor < f.floor, t.floor == f.floor && (t.order < f.order || test):
		return ""
	}
	return from + " imports " + to + ": an arrow goes only down"
}

func TestFloors(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; seen++ {
		var pkg struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(pkg.ImportPath, module+"/")
		for i, to := range slices.Concat(pkg.Imports, pkg.TestImports, pkg.XTestImports) {
			test := i >= len(pkg.Imports)
			if to, ours := strings.CutPrefix(to, module+"/"); ours {
				if msg := wrong(from, to, test); msg != "" {
					t.Error(msg)
				}
				continue
			}
			if p, ok := placeOf(from); ok && p.floor == 0 && !test && strings.Contains(to, ".") {
				t.Errorf("%s imports %s: the ground floor is data, and knows the standard library only", from, to)
			}
		}
	}
	if seen < 5 {
		t.Errorf("go list names %d packages", seen)
	}
}

// TestWrong shows that TestFloors can fail.
func TestWrong(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		test, ok bool
	}{
		{"passes/ir", "internal/policy", false, true},
		{"internal/policy", "passes/ir", false, false},
		{"internal/policy", "passes/ir", true, true},
		{"internal/kinds", "internal/policy", true, false},
		{"analyzers/ctxless", "passes/summaries", false, true},
		{"analyzers/ctxless", "analyzers/detached", false, false},
		{"analyzers/ctxless", "analyzers/ignores", false, false},
		{"analyzers/ignores", "analyzers/ctxless", false, true},
		{"internal/driver", "analyzers", false, false},
		{"internal/driver", "analyzers", true, true},
		{"cmd/doneby", "internal/driver", false, true},
		{"cmd/doneby", "cmd/golangci", false, false},
		{"passes/summaries", "deadline", false, false},
		{"cmd/doneby", "deadline/sim", false, false},
		{"passes/ir", "internal/passtest", true, true},
		{"passes/ir", "internal/passtest", false, false},
		{"internal/unheard", "internal/kinds", false, false},
		{"cmd/doneby", "internal/unheard", false, false},
	} {
		if msg := wrong(tt.from, tt.to, tt.test); (msg == "") != tt.ok {
			t.Errorf("%s → %s, in a test %t: %q", tt.from, tt.to, tt.test, msg)
		} else if !tt.ok && !(strings.Contains(msg, tt.from) || strings.Contains(msg, tt.to)) {
			t.Errorf("%q names no package", msg)
		}
	}
}
