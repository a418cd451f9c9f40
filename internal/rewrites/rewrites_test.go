package rewrites_test

import (
	"bytes"
	"go/format"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/passtest"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/rewrites"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// every reports each verdict of every rule, with its fix, as the rules do.
var every = &analysis.Analyzer{
	Name:       "every",
	Doc:        "report each verdict",
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: reflect.TypeFor[*policy.Mark](),
	Run: func(pass *analysis.Pass) (any, error) {
		sums := summaries.Of(pass)
		for _, rule := range kinds.Rules {
			for _, v := range sums.Verdicts(rule) {
				if policy.Ignored(pass, v.Pos, v.Rule, v.Kind) {
					continue
				}
				pass.Report(analysis.Diagnostic{Pos: v.Pos, Message: v.Rule + "/" + v.Kind + " " + v.Subject, SuggestedFixes: rewrites.For(pass, sums, v)})
			}
		}
		return new(policy.Mark), nil
	},
}

// run returns what is found in one file, and the file as each of the fixes alone and as all of them together leave it.
func run(t *testing.T, src string) (found []analysis.Diagnostic, all string, alone []string) {
	t.Helper()
	res := passtest.Run(t, every, passtest.One("example.com/p", src))[0]
	var edits []analysis.TextEdit
	tf := res.Pass.Fset.File(res.Pass.Files[0].FileStart)
	apply := func(edits []analysis.TextEdit) string {
		slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
		edits = slices.CompactFunc(edits, func(a, b analysis.TextEdit) bool { return reflect.DeepEqual(a, b) })
		var out bytes.Buffer
		at := 0
		for _, e := range edits {
			if tf.Offset(e.Pos) < at {
				t.Fatalf("edits overlap at %s", res.Pass.Fset.Position(e.Pos))
			}
			out.WriteString(src[at:tf.Offset(e.Pos)])
			out.Write(e.NewText)
			at = tf.Offset(e.End)
		}
		out.WriteString(src[at:])
		text, err := format.Source(out.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		if !bytes.Equal(text, out.Bytes()) {
			t.Errorf("not in gofmt's form:\n%s", out.Bytes())
		}
		return string(text)
	}
	for _, d := range res.Diagnostics {
		if len(d.SuggestedFixes) > 1 {
			t.Errorf("%q has %d fixes", d.Message, len(d.SuggestedFixes))
		}
		for _, f := range d.SuggestedFixes {
			edits = append(edits, f.TextEdits...)
			alone = append(alone, apply(slices.Clone(f.TextEdits)))
		}
	}
	return res.Diagnostics, apply(edits), alone
}

func TestFixes(t *testing.T) {
	cfg := settings.Default()
	cfg.Rules = []string{"+ctxless", "+detached", "+fixedtimeout", "+unbounded", "+deafwait"}
	if err := cfg.Check(); err != nil {
		t.Fatal(err)
	}
	settings.Use(cfg)
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		after := make(map[string]string)
		for _, f := range a.Files {
			if path.Base(f.Name) == "after.go" {
				after[path.Dir(f.Name)] = string(f.Data)
			}
		}
		for _, f := range a.Files {
			if path.Base(f.Name) != "before.go" {
				continue
			}
			t.Run(strings.TrimSuffix(path.Base(name), ".txtar")+"/"+path.Dir(f.Name), func(t *testing.T) {
				fixed(t, string(f.Data), after[path.Dir(f.Name)])
			})
		}
	}
}

// fixed wants the fixes to make after of before, or to make nothing of it when after is empty. Each fix alone must compile,
// and must find less than before.
func fixed(t *testing.T, before, after string) {
	found, got, alone := run(t, before)
	if len(found) == 0 {
		t.Fatal("nothing is found, so nothing shows that there is no fix")
	}
	if after == "" {
		if got != before {
			t.Errorf("a fix that is not safe makes of it:\n%s", got)
		}
		return
	}
	if got != after {
		t.Errorf("got:\n%s\nwant:\n%s", got, after)
	}
	if left, _, _ := run(t, got); len(left) > 0 {
		t.Errorf("after the fixes this is found: %q", left[0].Message)
	}
	for _, src := range alone {
		if left, _, _ := run(t, src); len(left) >= len(found) {
			t.Errorf("one fix alone mends nothing:\n%s", src)
		}
	}
}
