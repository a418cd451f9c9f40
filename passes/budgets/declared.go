package budgets

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/settings"
)

// declared holds the functions with a declared budget against what they surely may take. A budget in the code goes before one in
// the configuration, and there the route before the function.
func (p *program) declared(out *Result) {
	budgets := p.directives()
	byRoute := p.routed()
	for _, fn := range p.code.Funcs {
		if p.code.InTest(fn) {
			continue
		}
		b, ok := budgets[fn.Pos()]
		if !ok {
			b, ok = byRoute[fn]
		}
		if !ok {
			b, ok = p.named(fn)
		}
		if !ok {
			continue
		}
		if m, ok := p.holds(fn, b); !ok {
			out.misfits = append(out.misfits, m)
		}
		if t := out.tightest; p.entries.Entry(fn) && (t == nil || b.For < t.Budget) {
			out.tightest = &Handler{Name: nameOf(fn), Budget: b.For}
		}
	}
}

// directives returns the budgets that comments declare, by the position of their function.
func (p *program) directives() map[token.Pos]settings.Budget {
	out := map[token.Pos]settings.Budget{}
	for _, file := range p.pass.Files {
		for _, b := range policy.Budgets(p.pass.Fset, file) {
			switch fn := b.Func.(type) {
			case *ast.FuncDecl:
				out[fn.Name.Pos()] = b.Budget
			case *ast.FuncLit:
				out[fn.Pos()] = b.Budget
			}
		}
	}
	return out
}

// named returns the budget that the configuration gives a function by its name.
func (p *program) named(fn *ssa.Function) (settings.Budget, bool) {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return settings.Budget{}, false // a literal
	}
	for _, d := range p.cfg.Budgets {
		if d.Names(typeset.FullName(obj)) {
			return d.Budget, true
		}
	}
	return settings.Budget{}, false
}

// holds reports whether a function fits into its budget, and what does not.
func (p *program) holds(fn *ssa.Function, b settings.Budget) (Misfit, bool) {
	bill := p.billOf(fn)
	m := Misfit{Kind: "declared", At: fn.Pos(), Limit: b.Limit(), Budget: b.For, Total: bill.For, Name: nameOf(fn)}
	if end := bill.Endless; end != nil {
		m.Endless = end.Text
		m.Parts = []Part{{Pos: end.Pos, Text: "nothing ends it"}}
		return m, false
	}
	for _, it := range bill.short().Items {
		m.Parts = append(m.Parts, Part{Pos: it.Pos, Text: it.String() + ": " + it.Text, For: product(it.Each, it.Count), Shown: it.String()})
	}
	return m, bill.For <= b.Limit()
}

// nameOf is a function as a reader knows it.
func nameOf(fn *ssa.Function) string {
	obj, _ := fn.Object().(*types.Func)
	return contexts.DisplayName(obj)
}
