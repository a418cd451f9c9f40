package loops_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/ruletest"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/loops"
	"github.com/doneby/doneby/passes/settings"
)

// shapes reports, at each call of mark, what is known of the loop around it.
var shapes = &analysis.Analyzer{
	Name:     "shapes",
	Doc:      "report what is known of the loop around each call of mark",
	Requires: []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, loops.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		res := loops.Of(pass)
		for _, fn := range ir.Of(pass).Funcs {
			for c := range ssawalk.Calls(fn) {
				if ssawalk.Callee(c) == nil || ssawalk.Callee(c).Name() != "mark" {
					continue
				}
				pos := c.Common().Pos()
				pass.Report(analysis.Diagnostic{Pos: pos, End: pos + 1, Message: "loop: " + describe(res.Around(c))})
			}
		}
		return nil, nil
	},
}

func describe(l *loops.Loop) string {
	if l == nil {
		return "none"
	}
	var out []string
	for _, q := range []struct {
		name string
		yes  bool
	}{
		{"ring", l.Ring()}, {"collection", l.Collection()}, {"counted", l.Counted()}, {"timed", l.Timed()},
		{"retries", l.Retries()}, {"goes", l.Goes()}, {"looks", l.LooksIn()},
	} {
		if q.yes {
			out = append(out, q.name)
		}
	}
	return strings.Join(out, " ")
}

func TestShapes(t *testing.T) { ruletest.RunSections(t, "testdata/shapes.md", shapes) }
