package budgets

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// shadowed looks whether a cap that bears the name of what it is put on, and is meant for one call, covers another that the code
// around it makes under the outer context:
//
//	if id != "" {
//		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
//		ready, err := peer.Cache(ctx, id)
//		if ready { return drive.Stream(ctx, id) }
//	}
//	return drive.Stream(ctx, "")
func (p *program) shadowed(c cap, uses []use) (Misfit, bool) {
	if !p.sameName(c.call) {
		return Misfit{}, false // a name of its own: it is given on purpose
	}
	outer := p.chainOf(c.parent)
	for i, u := range uses {
		if len(u.under.caps) == 0 || u.under.caps[0].call != c.call || !second(uses[:i], c.call, u) {
			continue
		}
		for _, o := range uses {
			if o.name == u.name && o.under.base == outer.base && len(o.under.caps) == len(outer.caps) && !o.under.has(c.call) {
				return Misfit{Kind: "shadow", At: c.call.Pos(), Limit: c.length, Name: u.name, Parts: []Part{
					{Pos: u.call.Common().Pos(), Text: "under the timeout"}, {Pos: o.call.Common().Pos(), Text: "under the context around it"},
				}}, true
			}
		}
	}
	return Misfit{}, false
}

// second reports whether another call under the cap comes before u: the one for which it was made.
func second(before []use, made *ssa.Call, u use) bool {
	return slices.ContainsFunc(before, func(x use) bool {
		return x.name != u.name && len(x.under.caps) > 0 && x.under.caps[0].call == made && x.call.Block().Dominates(u.call.Block())
	})
}

// sameName reports whether the call is the right side of a definition that gives the new context the name of the old one.
func (p *program) sameName(c *ssa.Call) bool {
	for _, f := range p.pass.Files {
		if f.FileStart > c.Pos() || c.Pos() >= f.FileEnd {
			continue
		}
		same := false
		ast.Inspect(f, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok || as.Tok != token.DEFINE || len(as.Rhs) != 1 || len(as.Lhs) == 0 {
				return true
			}
			call, ok := as.Rhs[0].(*ast.CallExpr)
			if !ok || call.Lparen != c.Pos() || len(call.Args) == 0 {
				return true
			}
			to, ok := as.Lhs[0].(*ast.Ident)
			from, ok2 := call.Args[0].(*ast.Ident)
			same = ok && ok2 && to.Name == from.Name
			return false
		})
		return same
	}
	return false
}
