package entrypoints

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// shapes returns the functions whose type alone makes them entry points.
func shapes(pass *analysis.Pass, funcs *ir.Result) map[*ssa.Function]bool {
	ifaces := entryMethods(pass, settings.Of(pass).Knowledge())
	found := map[*ssa.Function]bool{}
	for _, fn := range funcs.Funcs {
		sig := fn.Signature
		switch {
		case typeset.RequestParam(sig) >= 0, isRPC(fn):
			found[fn] = true
		case sig.Recv() != nil && implements(fn, ifaces):
			found[fn] = true
		}
	}
	return found
}

// entryMethod is an interface method that the tables call an entry point.
type entryMethod struct {
	iface *types.Interface
	name  string
}

// entryMethods lists those of the direct imports: a type that implements one without naming its package is rare.
func entryMethods(pass *analysis.Pass, tables *knowledge.Tables) []entryMethod {
	var found []entryMethod
	for _, imp := range ir.Imports(pass) {
		if !tables.Covers(imp.Path()) {
			continue
		}
		for name, iface := range typeset.Interfaces(imp) {
			for m := range iface.Methods() {
				if row, ok := tables.Func("(" + imp.Path() + "." + name + ")." + m.Name()); ok && row.Verb == knowledge.Enters {
					found = append(found, entryMethod{iface, m.Name()})
				}
			}
		}
	}
	return found
}

func implements(fn *ssa.Function, methods []entryMethod) bool {
	recv := fn.Signature.Recv().Type()
	for _, m := range methods {
		if m.name == fn.Name() && types.Implements(recv, m.iface) {
			return true
		}
	}
	return false
}

// isRPC reports whether fn has the shape of a method of a gRPC or connect service.
func isRPC(fn *ssa.Function) bool {
	obj := declared(fn)
	sig := fn.Signature
	if obj == nil || sig.Recv() == nil || !obj.Exported() || sig.Variadic() || !typeset.ReturnsError(sig) {
		return false
	}
	params, results := sig.Params(), sig.Results()
	if n := params.Len(); n > 0 && results.Len() == 1 && typeset.IsServerStream(params.At(n-1).Type()) {
		return n <= 2 || n == 3 && typeset.IsContext(params.At(0).Type())
	}
	return params.Len() == 2 && results.Len() == 2 && typeset.IsContext(params.At(0).Type()) &&
		isMessage(params.At(1).Type()) && isMessage(results.At(0).Type())
}

// isMessage reports whether t is a protobuf message, or connect's envelope of one.
func isMessage(t types.Type) bool {
	name := typeset.Name(t)
	if strings.HasPrefix(name, "*connectrpc.com/connect.Re") {
		return true
	}
	return strings.HasPrefix(name, "*") && (typeset.Method(t, "ProtoReflect") != nil || typeset.Method(t, "ProtoMessage") != nil)
}

// signature returns the signature of a function type, or nil.
func signature(t types.Type) *types.Signature {
	sig, _ := t.Underlying().(*types.Signature)
	return sig
}
