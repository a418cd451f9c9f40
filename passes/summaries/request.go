package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// ofRequest reports whether a context in reach ends while the program goes on, by what is in sight: it is that of a request or an RPC, or
// somebody gives it a deadline. Of any other that is handed in nobody can tell here: its callers may give one that ends only with the
// program, or never.
func (r *Result) ofRequest(c contexts.Carrier) bool {
	if c.Param == nil || c.Field != nil {
		return false
	}
	w := &requestWalk{r: r, seen: make(map[*ssa.Parameter]bool)}
	return w.param(c.Param)
}

// requestWalk goes from a parameter to what callers in sight give for it.
type requestWalk struct {
	r    *Result
	seen map[*ssa.Parameter]bool
}

// param reports whether p is, or is given in some call, a carrier that ends with a request, an RPC or a deadline.
func (w *requestWalk) param(p *ssa.Parameter) bool {
	if w.seen[p] {
		return false
	}
	w.seen[p] = true
	fn := p.Parent()
	switch {
	case w.r.serves(p):
		return true
	case typeset.IsRequest(p.Type()):
		return w.given(p) || len(w.r.callers[fn]) == 0 && !w.r.asValue(fn) && !answersRequest(fn)
	}
	return typeset.IsContext(p.Type()) && givesDeadline(p) || w.given(p)
}

// given reports whether some caller in sight gives for p what ends with a request or has a deadline.
func (w *requestWalk) given(p *ssa.Parameter) bool {
	vals, _ := w.r.argsFor(p)
	for _, v := range vals {
		for _, o := range w.r.ctx.Origins(v) {
			if o.Bound.Own || o.Kind == contexts.Param && w.param(o.Param) {
				return true
			}
		}
	}
	return false
}

// serves reports whether p is what a server hands to the function that answers: a request with its writer, a framework's context, the
// context or stream of an RPC, a message.
func (r *Result) serves(p *ssa.Parameter) bool {
	fn, t := p.Parent(), p.Type()
	switch {
	case typeset.IsRequest(t):
		return hasWriter(fn)
	case typeset.IsContext(t):
		return r.entries.Entry(fn) && typeset.RequestParam(fn.Signature) < 0
	}
	return typeset.Answers(t) && !r.ctx.Timeless(contexts.Carrier{Param: p})
}

// hasWriter reports whether fn answers requests: it has a ResponseWriter beside them.
func hasWriter(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if typeset.IsResponseWriter(p.Type()) {
			return true
		}
	}
	return false
}

// answersRequest reports whether fn is a client's: it is given a request and returns the response, as a RoundTripper does.
func answersRequest(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if typeset.Name(v.Type()) == "*net/http.Response" {
			return true
		}
	}
	return false
}

// givesDeadline reports whether the function of a context puts a deadline on it.
func givesDeadline(p *ssa.Parameter) bool {
	for _, in := range *p.Referrers() {
		if call, ok := in.(*ssa.Call); ok && putsDeadline(call) {
			return true
		}
	}
	return false
}

// putsDeadline reports whether a call derives a context with a deadline of its own.
func putsDeadline(c *ssa.Call) bool {
	switch ssawalk.CalleeName(c) {
	case "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause":
		return true
	}
	return false
}
