package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
)

// handedIn reports whether a connection is a parameter of a method by which a type of this package implements an interface of another:
// who made the interface hands connections in and bounds them, as google.golang.org/grpc does around the handshakes of a
// credentials.TransportCredentials (its server's ConnectionTimeout, its client's dial).
func (r *Result) handedIn(x contexts.Conn) bool {
	p, ok := x.Value.(*ssa.Parameter)
	if !ok {
		return false
	}
	m, ok := p.Parent().Object().(*types.Func)
	if !ok || !m.Exported() || typeset.Receiver(m) == nil {
		return false
	}
	t := typeset.Receiver(m)
	for _, pkg := range ir.Imports(r.pass) {
		for _, iface := range interfacesWith(pkg, m.Name()) {
			if types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface) {
				return true
			}
		}
	}
	return false
}

// interfacesWith returns the exported interfaces of a package that ask for a method of that name.
func interfacesWith(pkg *types.Package, method string) []*types.Interface {
	var out []*types.Interface
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() {
			continue
		}
		iface, ok := tn.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for m := range iface.Methods() {
			if m.Name() == method {
				out = append(out, iface)
			}
		}
	}
	return out
}
