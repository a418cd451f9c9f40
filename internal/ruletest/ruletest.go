// Package ruletest runs an analyzer's README as its test. Every "go" block is a program: its "want" comments say what is
// reported, a "go fixed" block after it what the fixes make of it, and a "text" block what doneby prints about it. All
// programs of a README are loaded at once, against export data, so that a run costs one load.
//
// A block is one file of one package. It needs neither package clause nor imports: both are added when they are left out,
// in front of the first line, so that lines keep their numbers. A block with several files or packages marks them as a
// txtar archive does, with "-- store/store.go --"; a package imports another of its block as "example.com/store".
//
// A "want" pattern is matched with the message, or with the kind and the message: "ctxless/call: http.Get cannot carry ctx".
//
// The runtime package is there as it is. Libraries other than the standard one come from testdata/stubs: small packages under
// their real import paths.
package ruletest

import (
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/ruledoc"
	"github.com/doneby/doneby/passes/settings"
)

var update = flag.Bool("update", false, "rewrite the blocks of expected output, then read the diff")

// Run tests the analyzers with the README.md in the test's own folder.
func Run(t *testing.T, analyzers ...*analysis.Analyzer) {
	t.Helper()
	RunFile(t, "README.md", analyzers...)
}

// RunFile tests the analyzers with that README.
func RunFile(t *testing.T, readme string, analyzers ...*analysis.Analyzer) {
	t.Helper()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	out, problems := examine(readme, string(text), analyzers)
	if *update && len(out) > 0 {
		if err := os.WriteFile(readme, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
		_, problems = examine(readme, out, analyzers)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// problems collects what is wrong, a line each.
type problems []string

func (p *problems) addf(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// examine runs the README's programs. It returns the README's text with the expected output
// brought up to date, and what is wrong with the text as it stands.
func examine(readme, text string, analyzers []*analysis.Analyzer) (string, problems) {
	var bad problems
	doc, err := ruledoc.Parse(readme, text)
	if err != nil {
		return text, problems{err.Error()}
	}
	for _, a := range analyzers {
		if kinds.Known(a.Name) && filepath.Base(readme) == "README.md" {
			checkRule(&bad, readme, doc, a)
		}
	}
	programs, err := collect(doc)
	if err != nil {
		return text, problems{fmt.Sprintf("%s:%v", readme, err)}
	}
	fset, dir := token.NewFileSet(), filepath.Join(stubDir(), doc.Name)
	pkgs, err := load(fset, dir, programs)
	if err != nil {
		return text, problems{inReadme(readme, dir, programs, err.Error())}
	}
	settings.Use(everything(analyzers))
	defer settings.Use(nil)
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return text, problems{err.Error()}
	}
	res := gather(&bad, readme, fset, dir, programs, graph)
	out := map[int]string{}
	for _, p := range programs {
		p.check(&bad, readme, res[p], out)
	}
	return ruledoc.Replace(text, doc, out), bad
}

// checkRule checks the README's form and that the analyzer says the same as its README.
func checkRule(bad *problems, readme string, doc *ruledoc.Doc, a *analysis.Analyzer) {
	if err := doc.CheckRule(readme); err != nil {
		bad.addf("%v", err)
	}
	if doc.Name != a.Name {
		bad.addf("%s:1: the name is %q, the analyzer's %q", readme, doc.Name, a.Name)
	}
	if !strings.HasPrefix(a.Doc, doc.Title) {
		bad.addf("%s:3: Analyzer.Doc does not begin with this title", readme)
	}
	if !strings.HasSuffix(a.URL, "/"+a.Name) {
		bad.addf("%s:1: Analyzer.URL %q does not end with the rule's folder", readme, a.URL)
	}
}

// everything turns all kinds on, whatever their tier: a README shows what the rule can say.
func everything(analyzers []*analysis.Analyzer) *settings.Config {
	cfg := settings.Default()
	cfg.Audit = true
	for _, a := range analyzers {
		if kinds.Built(a.Name) {
			cfg.Rules = append(cfg.Rules, "+"+a.Name)
		}
	}
	return cfg
}

// inReadme rewrites positions in the scratch folder to positions in the README, for what the loader says.
func inReadme(readme, dir string, programs []*program, msg string) string {
	for _, p := range programs {
		for _, f := range p.files {
			name := filepath.Join(dir, p.dir(), filepath.FromSlash(f.name))
			re := regexp.MustCompile(regexp.QuoteMeta(name) + `:(\d+)`)
			msg = re.ReplaceAllStringFunc(msg, func(m string) string {
				n, _ := strconv.Atoi(re.FindStringSubmatch(m)[1])
				return fmt.Sprintf("%s:%d", readme, f.line+n-1)
			})
		}
	}
	return msg
}
