package contexts

import (
	"go/types"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
)

// startsPlain reports whether the package starts its command line without a context and nowhere with one: the library then
// gives its commands context.Background, which nothing ends. Which context the commands of another package get is that
// package's business: it is taken to be one that ends.
func (r *Result) startsPlain() bool {
	if !importsCommands(ir.Imports(r.pass)) {
		return false
	}
	plain := false
	for _, fn := range r.ir.Funcs {
		if r.ir.InTest(fn) {
			continue
		}
		for c := range ssawalk.Calls(fn) {
			callee := ssawalk.Resolve(c).Func
			if callee == nil || !knowledge.IsCommandLibrary(pathOf(callee)) {
				continue
			}
			k, ok := r.Row(callee)
			if !ok || k.Verb != knowledge.Waits || !k.Meant {
				continue
			}
			if k.Ctx.IsSet() {
				return false
			}
			plain = true
		}
	}
	return plain
}

func importsCommands(imports []*types.Package) bool {
	for _, imp := range imports {
		if knowledge.IsCommandLibrary(imp.Path()) {
			return true
		}
	}
	return false
}

func pathOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

// endless reports whether a carrier of that type brings a context that nothing ends: that of a command line started without
// one.
func (r *Result) endless(t types.Type) bool {
	n := typeset.Named(t)
	return r.plain && n != nil && n.Obj().Pkg() != nil && knowledge.IsCommandLibrary(n.Obj().Pkg().Path())
}
