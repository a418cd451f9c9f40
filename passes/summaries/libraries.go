package summaries

import (
	"go/types"

	"github.com/doneby/doneby/internal/ssawalk"
)

// endedByClient reports whether a wait is for a call of a library that the package gives an http.Client with a bound.
func (r *Result) endedByClient(w Wait) bool {
	f := r.libraryFunc(w)
	if f == nil || f.Signature().Recv() == nil {
		return false // out of sight; it sends by the library's own client
	}
	return r.ctx.LimitsLibrary(f.Pkg().Path())
}

// libraryFunc returns the function that a wait of this package calls, nil where it stands in another package, or none is named.
func (r *Result) libraryFunc(w Wait) *types.Func {
	call := r.callAt(w.In, w.Src)
	if call == nil {
		return nil
	}
	f := ssawalk.Resolve(call).Func
	if f == nil || f.Pkg() == nil {
		return nil
	}
	return f
}
