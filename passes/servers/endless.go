package servers

import (
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// limits matches the names of what gives requests a deadline: context.WithTimeout, http.TimeoutHandler, the timeout middleware
// of frameworks, the runtime package's server.
var limits = regexp.MustCompile(`Timeout|Deadline|Budget`)

// endless reports whether requests to a server surely get no deadline, and would need one: its handler is a mux whose routes are
// registered in this package, the package calls nothing that gives one, and it hands the context of a request on.
func (b *book) endless(handlers []ssa.Value) bool {
	if len(handlers) != 1 || len(b.patterns(muxOf(handlers[0]))) == 0 {
		return false // what serves the requests is out of sight
	}
	handsOn := false
	for _, fn := range b.ir.Funcs {
		if b.ir.InTest(fn) {
			continue
		}
		for call := range ssawalk.Calls(fn) {
			f := ssawalk.Callee(call)
			if f != nil && limits.MatchString(f.Name()) {
				return false
			}
			handsOn = handsOn || f != nil && f.FullName() == "(*net/http.Request).Context" && given(call.Value())
		}
	}
	return handsOn
}

// given reports whether a value is an argument of a call.
func given(v *ssa.Call) bool {
	if v == nil {
		return false // deferred
	}
	for _, ref := range *v.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok && contains(c.Common().Args, v) {
			return true
		}
	}
	return false
}

// muxOf returns the mux that serves, nil for the default one.
func muxOf(h ssa.Value) ssa.Value {
	if c, ok := h.(*ssa.Const); ok && c.IsNil() {
		return nil
	}
	return h
}
