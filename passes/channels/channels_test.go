package channels_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/ruletest"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// sides reports, at each wait, what is known of each channel that it waits on.
var sides = &analysis.Analyzer{
	Name:     "sides",
	Doc:      "report who is on the other side",
	Requires: []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, channels.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		res := channels.Of(pass)
		for _, fn := range ir.Of(pass).Funcs {
			for _, w := range res.Waits(fn) {
				pos := w.Instr.Pos()
				pass.Report(analysis.Diagnostic{Pos: pos, End: pos + 1, Message: sentence(w)})
			}
		}
		return nil, nil
	},
}

var names = [...]string{"send", "receive", "range", "close", "select", "done", "group", "wake", "cond", "sleep"}

func sentence(w *channels.Wait) string {
	parts := []string{names[w.Kind]}
	for _, op := range w.Cases {
		parts = append(parts, known(op))
	}
	return strings.Join(parts, "; ")
}

func known(op *channels.Op) string {
	c := op.Chan
	if c == nil {
		return "nil"
	}
	count := make([]int, len(names))
	for _, o := range c.Ops {
		count[o.Kind]++
	}
	var out []string
	for k, n := range count {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, names[k]))
		}
	}
	for _, flag := range []struct {
		yes  bool
		name string
	}{{len(c.Makes) > 0, fmt.Sprintf("room %d", c.Room())}, {c.Open, "open"}, {c.Taken, "taken"}, {c.Lent, "lent"}, {c.Given, "given"}} {
		if flag.yes {
			out = append(out, flag.name)
		}
	}
	return strings.Join(out, ", ")
}

// TestChannels runs every section of channels.md as a test of its own.
func TestChannels(t *testing.T) {
	ruletest.RunSections(t, "testdata/channels.md", sides)
}
