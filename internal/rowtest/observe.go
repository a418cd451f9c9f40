package rowtest

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// seen is what the analysis says of the functions of a package, each by its name, the literals in it included.
type seen struct {
	rows     map[string]map[string]bool // the rows that it finds for the calls
	verdicts map[string][]string        // rule/kind, sorted
	waits    map[string][]string        // what the verdicts say waits
	entry    map[string]bool            // whether it begins a unit of work
}

// watch runs the passes and tells what they say.
var watch = &analysis.Analyzer{
	Name:       "watch",
	Doc:        "tell what the passes say",
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, entrypoints.Analyzer, contexts.Analyzer, summaries.Analyzer},
	ResultType: reflect.TypeFor[*seen](),
	Run: func(pass *analysis.Pass) (any, error) {
		out := &seen{map[string]map[string]bool{}, map[string][]string{}, map[string][]string{}, map[string]bool{}}
		for _, fn := range ir.Of(pass).Funcs {
			out.look(fn, contexts.Of(pass))
			out.entry[nameOf(fn)] = out.entry[nameOf(fn)] || entrypoints.Of(pass).Entry(fn)
		}
		for _, rule := range kinds.Rules {
			for _, v := range summaries.Of(pass).Verdicts(rule) {
				name := nameOf(v.In)
				out.verdicts[name] = append(out.verdicts[name], v.Rule+"/"+v.Kind)
				out.waits[name] = append(out.waits[name], v.Wait)
			}
		}
		for _, list := range out.verdicts {
			slices.Sort(list)
		}
		return out, nil
	},
}

// look notes the rows of all calls in fn.
func (s *seen) look(fn *ssa.Function, ctx *contexts.Result) {
	name := nameOf(fn)
	if s.rows[name] == nil {
		s.rows[name] = map[string]bool{}
	}
	for c := range ssawalk.Calls(fn) {
		targets, _ := ctx.Targets(c.Common())
		for _, t := range targets {
			if row, ok := ctx.Row(t.Obj); ok {
				s.rows[name][row.Name] = true
			}
		}
	}
}

// nameOf names the declared function that fn is or stands in: F, or T.M.
func nameOf(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if obj, ok := fn.Object().(*types.Func); ok && typeset.Receiver(obj) != nil {
		return typeset.Named(typeset.Receiver(obj)).Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}
