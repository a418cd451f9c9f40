package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// lent reports whether a channel is a parameter of a type that the library of its elements asks for in an interface of its own: that
// library has the other end, and says how long it stays there (prometheus.Collector: the registry takes what is sent until every
// collector is done).
func lent(p *ssa.Parameter) bool {
	ch, ok := p.Type().(*types.Chan)
	if !ok {
		return false
	}
	elem := typeset.Named(ch.Elem())
	if elem == nil || elem.Obj().Pkg() == nil || elem.Obj().Pkg() == p.Parent().Pkg.Pkg {
		return false // of this package: so is who takes it
	}
	for _, iface := range typeset.Interfaces(elem.Obj().Pkg()) {
		for m := range iface.Methods() {
			for q := range m.Signature().Params().Variables() {
				if types.Identical(q.Type(), ch) {
					return true
				}
			}
		}
	}
	return false
}
