package contexts

import (
	"go/types"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// Operation reports whether fn is an operation of a generated client: a method of a Client that takes a context, what is asked for, and
// options. It is a request, or several with its retries.
func Operation(fn *types.Func) bool {
	recv := typeset.Named(typeset.Receiver(fn))
	if recv == nil || recv.Obj().Name() != "Client" || !knowledge.IsGeneratedClient(fn.Pkg().Path()) {
		return false
	}
	sig := fn.Signature()
	return sig.Variadic() && sig.Params().Len() == 3 && typeset.ContextParam(sig) == 0 && typeset.ReturnsError(sig)
}
