package summaries_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/ruletest"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// verdicts reports every verdict, of whatever rule, as "rule/kind: subject, wait via callee for ctx".
var verdicts = &analysis.Analyzer{
	Name:     "verdicts",
	Doc:      "report every verdict",
	Requires: []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		sums := summaries.Of(pass)
		for _, rule := range kinds.Rules {
			for _, v := range sums.Verdicts(rule) {
				pos, end := sums.Range(v)
				pass.Report(analysis.Diagnostic{Pos: pos, End: end, Message: sentence(v)})
			}
		}
		return nil, nil
	},
}

func sentence(v summaries.Verdict) string {
	msg := v.Rule + "/" + v.Kind + ": " + v.Subject
	if v.Wait != v.Subject {
		msg += ", " + v.Wait
	}
	if v.Via != "" {
		msg += " via " + v.Via
	}
	if v.Ctx != "" {
		msg += " for " + v.Ctx
	}
	return msg
}

// TestShapes runs every shape of shapes.md as a test of its own.
func TestShapes(t *testing.T) {
	ruletest.RunSections(t, "testdata/shapes.md", verdicts)
}

// blinds reports how many calls of a package are unanswered.
var blinds = &analysis.Analyzer{
	Name:     "blinds",
	Doc:      "report the number of blind spots",
	Requires: []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		first := pass.Files[0].Decls[0]
		for _, d := range pass.Files[0].Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				first = d
			}
		}
		pass.Report(analysis.Diagnostic{Pos: first.Pos(), End: first.End(), Message: fmt.Sprintf("blind %d", summaries.Of(pass).Blind())})
		return nil, nil
	},
}

func TestBlind(t *testing.T) {
	ruletest.RunSections(t, "testdata/blind.md", blinds)
}

// TestRuntime runs what the rules make of each call of the runtime package.
func TestRuntime(t *testing.T) {
	ruletest.RunSections(t, "testdata/deadline.md", verdicts)
}
