package summaries

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// dialsForTransport reports whether fn dials for an http.Transport: since Go 1.23 the context that a Transport gives it has no
// deadline, because another request may use the connection (golang/go net/http transport.go, queueForDial).
func (r *Result) dialsForTransport(fn *ssa.Function) bool {
	return r.dialsFor(fn) == "net/http.Transport"
}

// dialsForResolver reports whether fn dials for a net.Resolver, mostly a datagram socket; the exchange over it has a deadline that the
// resolver sets (golang/go net, dnsclient_unix.go).
func (r *Result) dialsForResolver(fn *ssa.Function) bool { return r.dialsFor(fn) == "net.Resolver" }

// dialsFor returns the type of which fn is a dial function, or "".
func (r *Result) dialsFor(fn *ssa.Function) string {
	if r.dials == nil {
		r.dials = map[*ssa.Function]string{}
		for in := range r.ir.Instrs() {
			r.noteDial(in)
		}
	}
	return r.dials[ssawalk.Declared(fn)]
}

// noteDial notes a function that becomes the DialContext or DialTLSContext of a Transport, or the Dial of a Resolver.
func (r *Result) noteDial(in ssa.Instruction) {
	st, ok := in.(*ssa.Store)
	if !ok || strings.HasSuffix(r.pass.Fset.Position(st.Pos()).Filename, "_test.go") {
		return // no store, or that of a test's variable
	}
	field, of := ssawalk.Field(st.Addr)
	if field == nil || !strings.HasPrefix(field.Name(), "Dial") {
		return
	}
	if fn, _ := ssawalk.Function(st.Val); fn != nil {
		r.dials[ssawalk.Declared(fn)] = typeset.Name(typeset.Deref(of.Type()))
	}
}
