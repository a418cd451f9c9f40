package summaries

import "github.com/doneby/doneby/internal/ssawalk"

// endedByClient reports whether a wait is for a call of a library that the package gives an http.Client with a bound.
func (r *Result) endedByClient(w Wait) bool {
	call := r.callAt(w.In, w.Src)
	if call == nil {
		return false // it stands in another package
	}
	f := ssawalk.Resolve(call).Func
	if f == nil || f.Pkg() == nil || f.Signature().Recv() == nil {
		return false // it sends by the library's own client
	}
	return r.ctx.LimitsLibrary(f.Pkg().Path())
}
