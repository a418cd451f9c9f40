package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// rules are all that are built, by name, since their kinds are off by default until their precision is proved.
const rules = "+bareserver,+blindretry,+stalework,+overbudget,+fixedtimeout,+detached,+ctxless,+unbounded,+orphan,+deafwait,+deafctx,+wallclock"

// finding is one of doneby's.
type finding struct {
	file string // from the top of the module
	line int
	rule string
	text string
}

// findings runs the doneby of this repository on this module, once for all tests.
var findings = sync.OnceValues(func() ([]finding, error) {
	dir, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "run", "./cmd/doneby", "-C", dir, "-f", "json", "-rules", rules, "./...")
	cmd.Dir = filepath.Join("..", "..", "..")
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	var said map[string]map[string][]struct{ Posn, Message string }
	if bad := json.Unmarshal(out, &said); bad != nil || len(said) == 0 {
		return nil, &lintError{err, problems.String()}
	}
	var all []finding
	for _, byRule := range said {
		for rule, list := range byRule {
			for _, one := range list {
				f := finding{rule: rule, text: one.Message}
				if f.file, f.line, err = split(dir, one.Posn); err != nil {
					return nil, err
				}
				all = append(all, f)
			}
		}
	}
	return all, nil
})

// lintError is a run of doneby that said nothing one can read.
type lintError struct {
	err    error
	stderr string
}

func (e *lintError) Error() string { return "doneby: " + e.stderr }
func (e *lintError) Unwrap() error { return e.err }

// TestFindings wants doneby to report package before, and nothing else: not the other variants, and not what they share.
func TestFindings(t *testing.T) {
	all, err := findings()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, f := range all {
		if f.file != "before/services.go" {
			t.Errorf("%s:%d: %s: %s", f.file, f.line, f.rule, f.text)
		}
		seen[f.rule]++
	}
	for rule, want := range map[string]int{"fixedtimeout": 3, "blindretry": 1, "deafwait": 1} {
		if seen[rule] != want {
			t.Errorf("%d findings of %s, want %d", seen[rule], rule, want)
		}
	}
}
