package contexts_test

import (
	"fmt"
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ruletest"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// origins reports, at each call of a function called show, where its argument comes from; of one called limit, what bounds
// each call on the client that it is given; of one called conn, the connections that it may be; at each function called
// reach…, the carriers in its reach.
var origins = &analysis.Analyzer{
	Name:     "origins",
	Doc:      "report origins",
	Requires: []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, contexts.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		res := contexts.Of(pass)
		for _, fn := range ir.Of(pass).Funcs {
			if strings.HasPrefix(fn.Name(), "reach") {
				say(pass, fn.Syntax().Pos(), carriers(res.Reach(fn)))
			}
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					probe(pass, res, in)
				}
			}
		}
		return nil, nil
	},
}

func probe(pass *analysis.Pass, res *contexts.Result, in ssa.Instruction) {
	c, ok := in.(*ssa.Call)
	if !ok || c.Call.StaticCallee() == nil || len(c.Call.Args) != 1 {
		return
	}
	arg := c.Call.Args[0]
	switch c.Call.StaticCallee().Name() {
	case "show":
		say(pass, c.Pos(), set(res.Origins(arg)))
	case "limit":
		say(pass, c.Pos(), "calls "+res.Limit(arg, []string{"Timeout"}).String())
	case "conn":
		say(pass, c.Pos(), conns(res, arg))
	}
}

func set(s contexts.Set) string {
	var parts []string
	for _, o := range s {
		p := o.Kind.String()
		switch {
		case o.Param != nil:
			p += " " + o.Param.Name()
		case o.Name != "":
			p += " " + o.Name
		}
		switch {
		case o.Bound.For > 0:
			p += " within " + o.Bound.For.String()
		case o.Bound.Own:
			p += " bounded"
		}
		if o.Copied {
			p += ", its deadline copied"
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, " or ")
}

func conns(res *contexts.Result, v ssa.Value) string {
	from, sure := res.Conns(v)
	if !sure {
		return "unknown"
	}
	var parts []string
	for _, c := range from {
		p := "dialled elsewhere"
		switch {
		case res.Dialled(c):
			p = "dialled here"
		case c.Field != nil:
			p = "field " + c.Field.Name()
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, " or ")
}

func carriers(list []contexts.Carrier) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, c.Expr)
	}
	return fmt.Sprintf("in reach: %s", strings.Join(parts, ", "))
}

// TestOrigins runs every program of origins.md, each section a test of its own.
func TestOrigins(t *testing.T) {
	ruletest.RunSections(t, "testdata/origins.md", origins)
}

func say(pass *analysis.Pass, pos token.Pos, msg string) {
	pass.Report(analysis.Diagnostic{Pos: pos, End: pos + 1, Message: msg})
}
