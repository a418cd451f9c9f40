package contexts

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// A library's client often sends by the http.Client that its configuration was given: the Timeout of that is the bound of each call.
//
//	config := consul.DefaultConfig()
//	config.HttpClient = &http.Client{Timeout: limit}
//	client, err := consul.NewClient(config)

// LimitsLibrary reports whether the package gives the library that has the package at path an http.Client, or a transport, that may bound what
// is sent, wherever in the library: the configuration is often of another package than the client.
func (r *Result) LimitsLibrary(path string) bool {
	if knowledge.IsStd(path) {
		return false
	}
	if r.libraries == nil {
		r.libraries = r.findLimited()
	}
	return r.libraries[library(path)]
}

// findLimited returns the libraries that are given such a client.
func (r *Result) findLimited() map[string]bool {
	out := make(map[string]bool)
	note := func(p *types.Package, v ssa.Value) {
		if p != nil && p != r.pass.Pkg && sends(v.Type()) && r.Limit(v, nil) != LimitNone {
			out[library(p.Path())] = true
		}
	}
	for _, fn := range append([]*ssa.Function{r.pkg.Func("init")}, r.ir.Funcs...) {
		if fn == nil || r.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			if st, ok := in.(*ssa.Store); ok {
				if f := storedField(st); f != nil {
					note(f.Pkg(), st.Val)
				}
			}
			if c, ok := ssawalk.AsCall(in); ok {
				s := ssawalk.Resolve(c)
				for _, a := range s.Args {
					if s.Func != nil {
						note(s.Func.Pkg(), a)
					}
				}
			}
			if fa, ok := in.(*ssa.FieldAddr); ok && bounds(fieldOf(fa), nil) {
				if f, ok := keeperOf(fa.X).(*types.Var); ok && f.Pkg() != nil && sends(f.Type()) {
					out[library(f.Pkg().Path())] = true
				}
			}
		}
	}
	return out
}

// storedField returns the field that a store is to, or nil.
func storedField(st *ssa.Store) *types.Var {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	return fieldOf(fa)
}

// sends reports whether a type is one by which HTTP requests are sent.
func sends(t types.Type) bool {
	return typeset.IsPointerTo(t, "net/http", "Client") || typeset.Is(t, "net/http", "Client")
}

// library returns the part of a package's path that its whole library has, by the hosts' ways to name one.
func library(path string) string {
	elems := strings.Split(path, "/")
	n := 2
	switch elems[0] {
	case "bitbucket.org", "github.com", "gitlab.com":
		n = 3
	}
	return strings.Join(elems[:min(n, len(elems))], "/")
}
