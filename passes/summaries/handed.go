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
		for _, iface := range typeset.Interfaces(pkg) {
			if asksFor(iface, m.Name()) && (types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface)) {
				return true
			}
		}
	}
	return false
}

func asksFor(iface *types.Interface, method string) bool {
	for m := range iface.Methods() {
		if m.Name() == method {
			return true
		}
	}
	return false
}
