package score

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestScore(t *testing.T) {
	bug := Case{Name: "001-x", Kind: "noctx", AcceptKinds: []string{"edge"}, Marks: []Mark{{"bad.go", 10, "noctx"}, {"sub/s.go", 3, "orphan"}}}
	fp := Case{Name: "101-fp-y"}
	wire := Case{Name: "002-z", Kind: "wire", Note: "residual: a timestamp", Marks: []Mark{{"bad.go", 1, "wire"}}}
	opinion := Case{Name: "003-o", Kind: "orphan", Tier: "audit", Marks: []Mark{{"bad.go", 1, "orphan"}}}
	at := func(c Case, side, file string, line int, rule string) Finding {
		return Finding{Case: c.Name, Side: side, File: file, Line: line, Rule: rule}
	}
	for name, tt := range map[string]struct {
		c     Case
		given []Finding
		audit bool
		want  string // found, told, kind
	}{
		"nothing said":               {bug, nil, false, "false false noctx"},
		"at the mark":                {bug, []Finding{at(bug, "bad", "bad.go", 10, "ctxless")}, false, "true true noctx"},
		"two lines off":              {bug, []Finding{at(bug, "bad", "bad.go", 12, "unbounded")}, false, "true true noctx"},
		"three lines off":            {bug, []Finding{at(bug, "bad", "bad.go", 13, "unbounded")}, false, "false false noctx"},
		"another file":               {bug, []Finding{at(bug, "bad", "sub/bad.go", 10, "ctxless")}, false, "false false noctx"},
		"another rule":               {bug, []Finding{at(bug, "bad", "bad.go", 10, "detached")}, false, "false false noctx"},
		"an accepted kind":           {bug, []Finding{at(bug, "bad", "bad.go", 10, "bareserver")}, false, "true true noctx"},
		"the mark's kind":            {bug, []Finding{at(bug, "bad", "sub/s.go", 4, "orphan")}, false, "true true noctx"},
		"another linter":             {bug, []Finding{at(bug, "bad", "bad.go", 10, "contextcheck")}, false, "true true noctx"},
		"both sides":                 {bug, []Finding{at(bug, "bad", "bad.go", 10, "ctxless"), at(bug, "good", "good.go", 1, "ctxless")}, false, "true false noctx"},
		"another case":               {bug, []Finding{at(fp, "bad", "bad.go", 10, "ctxless")}, false, "false false noctx"},
		"precision, silent":          {fp, nil, false, "false true "},
		"precision, false alarm":     {fp, []Finding{at(fp, "good", "good.go", 1, "orphan")}, false, "false false "},
		"residual":                   {wire, []Finding{at(wire, "bad", "bad.go", 1, "lostdeadline"), at(wire, "good", "good.go", 1, "lostdeadline")}, false, "true true wire"},
		"residual, another rule":     {wire, []Finding{at(wire, "bad", "bad.go", 1, "lostdeadline"), at(wire, "good", "good.go", 1, "ctxless")}, false, "true false wire"},
		"audit case":                 {opinion, []Finding{at(opinion, "bad", "bad.go", 1, "orphan")}, false, "false false skipped"},
		"audit case, asked for":      {opinion, []Finding{at(opinion, "bad", "bad.go", 1, "orphan")}, true, "true true orphan"},
		"audit case, false alarm":    {opinion, []Finding{at(opinion, "good", "good.go", 1, "orphan")}, false, "false false skipped"},
		"wire asks for its own":      {wire, []Finding{at(wire, "bad", "bad.go", 1, "ctxless")}, false, "false false wire"},
		"the kind is not the mark's": {bug, []Finding{at(bug, "bad", "sub/s.go", 3, "ctxless")}, false, "true true noctx"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Score([]Case{tt.c}, tt.given, tt.audit)[0]
			if got := fmt.Sprint(r.Found, r.Told(), " ", r.Case.Kind); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	rows := []Row{
		{Case: Case{Kind: "noctx"}, Found: true},
		{Case: Case{Kind: "noctx"}, Found: true, Good: []Finding{{}}},
		{Case: Case{Kind: "edge"}},
		{Case: Case{}},
		{Case: Case{Kind: skipped}, Good: []Finding{{}}},
	}
	var b strings.Builder
	got := Tabulate(rows)
	if err := got.Write(&b); err != nil {
		t.Fatal(err)
	}
	const want = "edge             0/1\nnoctx            1/2\ngood-sides       3/5\nprecision-cases  1/1\n"
	if b.String() != want {
		t.Errorf("table:\n%s", b.String())
	}
	back, err := Read(strings.NewReader("# comment\n\n" + want))
	if err != nil || fmt.Sprint(back) != fmt.Sprint(got) {
		t.Errorf("read back %v, %v", back, err)
	}
	if below := got.Below(back); below != nil {
		t.Errorf("the same, yet below: %q", below)
	}
	back["noctx"] = Count{2, 2}
	back["retry"] = Count{0, 1}
	if below := got.Below(back); len(below) != 2 {
		t.Errorf("one fewer and one kind gone, yet only %q", below)
	}
	if _, err := Read(strings.NewReader("noctx 1 of 2")); err == nil {
		t.Error("a line without told/total is read")
	}
}

func TestPrint(t *testing.T) {
	missed := Case{Name: "001-x", Kind: "noctx", Marks: []Mark{{"bad.go", 10, "noctx"}}}
	rows := []Row{
		{Case: missed, Bad: []Finding{{"001-x", "bad", "bad.go", 3, "detached", "hm"}}},
		{Case: Case{Name: "002-x", Kind: skipped}, Good: []Finding{{"002-x", "good", "good.go", 4, "ctxless", "no"}}},
		{Case: Case{Name: "003-x"}},
		{Case: Case{Name: "004-x", Kind: "detached"}, Found: true},
	}
	var b strings.Builder
	Print(&b, rows)
	got := strings.Join(strings.Fields(b.String()), " ")
	if got != "001-x noctx missed bad.go:10 instead bad/bad.go:3: detached: hm 002-x skipped false alarm good/good.go:4: ctxless: no" {
		t.Errorf("printed %s", got)
	}
}

func TestNeutral(t *testing.T) {
	const in = `// Package bad waits. // BUG(noctx)
package bad

import (
	"cases.example/net/001-x/bad/store" // helper
	good "cases.example/net/001-x/bad"
)

//go:noinline
func f() { /* BUG
here */ g("// not a comment") }
`
	if _, err := neutralise("bad.go", []byte(in)); err == nil || !strings.Contains(err.Error(), "bad.go:6:2: the import's name tells the side") {
		t.Errorf("an import called good is not refused: %v", err)
	}
	text := strings.Replace(in, `good "cases`, `x "cases`, 1)
	got, err := neutralise("bad.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p := side{"001-x", "bad"}.folder()
	if strings.Count(string(got), "\n") != strings.Count(text, "\n") {
		t.Error("the lines have moved")
	}
	for _, want := range []string{"\npackage app\n", `"cases.example/net/` + p + `/store" `, `x "cases.example/net/` + p + `"`, "//go:noinline\n", `g("// not a comment")`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, word := range []string{"bad", "BUG", "here", "helper", "001-x"} {
		if strings.Contains(string(got), word) {
			t.Errorf("%q is left in\n%s", word, got)
		}
	}
}

// TestNoSideIsLeft copies the real cases: every file is there, no name tells a side, and each path maps back.
func TestNoSideIsLeft(t *testing.T) {
	for _, module := range modules {
		from := filepath.Join(corpus, module)
		c, err := Neutral(from, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		want, got := goFiles(t, from), []string{}
		for _, f := range goFiles(t, c.Dir) {
			o, ok := c.Original(filepath.Join(c.Dir, f))
			if !ok {
				t.Errorf("%s maps to nothing", f)
			}
			got = append(got, o.Case+"/"+o.Side+"/"+o.File)
			for _, word := range []string{"bad", "good", "fp-", o.Case} {
				if strings.Contains(f, word) {
					t.Errorf("%s says %q", f, word)
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d files map back to %d", module, len(want), len(got))
		}
	}
}

func goFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".go" {
			rel, _ := filepath.Rel(dir, name)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
