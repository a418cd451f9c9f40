package gate_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/gate"
)

func finding(dir string) driver.Finding {
	file := filepath.Join(dir, "a b", "x.go")
	return driver.Finding{
		File: file, Line: 3, Col: 2, EndLine: 3, EndCol: 9, Rule: "ctxless", Kind: "call",
		Message: "http.Get cannot carry ctx", URL: "https://example.com/ctxless#call", Package: "example.com/p",
		Related: []driver.Related{{File: file, Line: 1, Col: 1, EndLine: 1, EndCol: 4, Message: "ctx is here"}},
		Fixes:   []driver.Fix{{Message: "Pass ctx", Edits: []driver.Edit{{File: file, Start: 5, End: 7, New: "ctx"}}}},
	}
}

func TestText(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := gate.Text(&out, dir, []driver.Finding{finding(dir)}); err != nil {
		t.Fatal(err)
	}
	want := "a b/x.go:3:2: ctxless: http.Get cannot carry ctx\n\ta b/x.go:1:1: ctx is here\n"
	if got := filepath.ToSlash(out.String()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := gate.JSON(&out, []driver.Finding{finding(dir)}); err != nil {
		t.Fatal(err)
	}
	var tree map[string]map[string][]map[string]any
	if err := json.Unmarshal(out.Bytes(), &tree); err != nil {
		t.Fatal(err)
	}
	list := tree["example.com/p"]["ctxless"]
	if len(list) != 1 {
		t.Fatalf("tree %v", tree)
	}
	posn := filepath.Join(dir, "a b", "x.go") + ":3:2"
	for field, want := range map[string]any{
		"posn": posn, "end": strings.TrimSuffix(posn, "2") + "9", "message": "http.Get cannot carry ctx",
		"kind": "call", "url": "https://example.com/ctxless#call",
	} {
		if list[0][field] != want {
			t.Errorf("%s is %v, want %v", field, list[0][field], want)
		}
	}
	fix := list[0]["suggested_fixes"].([]any)[0].(map[string]any)["edits"].([]any)[0].(map[string]any)
	if fix["new"] != "ctx" || fix["start"] != 5.0 || fix["end"] != 7.0 {
		t.Errorf("edit %v", fix)
	}
	if rel := list[0]["related"].([]any)[0].(map[string]any); rel["message"] != "ctx is here" {
		t.Errorf("related %v", rel)
	}
	out.Reset()
	if err := gate.JSON(&out, nil); err != nil || out.String() != "{}\n" {
		t.Errorf("no findings are %q, error %v", out.String(), err)
	}
}

func TestStatus(t *testing.T) {
	f, p := []driver.Finding{{}}, []driver.Problem{{}}
	for _, test := range []struct {
		report driver.Report
		want   int
	}{
		{driver.Report{}, gate.Clean},
		{driver.Report{Notices: []string{"x"}}, gate.Clean},
		{driver.Report{Findings: f}, gate.Found},
		{driver.Report{Problems: p}, gate.Failed},
		{driver.Report{Findings: f, Problems: p}, gate.Failed},
	} {
		if got := gate.Status(&test.report); got != test.want {
			t.Errorf("status of %+v is %d, want %d", test.report, got, test.want)
		}
	}
}

func TestProblems(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	gate.Problems(&out, dir, []driver.Problem{
		{Package: "example.com/p", Message: "does not type-check", Details: []string{filepath.Join(dir, "x.go") + ":1:2: bad"}},
		{Message: "no packages"},
	})
	want := "doneby: example.com/p: does not type-check\n\tx.go:1:2: bad\ndoneby: no packages\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}
