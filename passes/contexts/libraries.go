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

// LimitsLibrary reports whether the package gives the library that has the package at path an http.Client that may bound what is sent,
// wherever in the library: the configuration is often of another package than the client.
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
	for in := range r.ir.Instrs() {
		switch in := in.(type) {
		case *ssa.Store:
			if fa, ok := in.Addr.(*ssa.FieldAddr); ok {
				note(fieldOf(fa).Pkg(), in.Val)
			}
		case ssa.CallInstruction:
			s := ssawalk.Resolve(in)
			for _, a := range s.Args {
				if s.Func != nil {
					note(s.Func.Pkg(), a)
				}
			}
		case *ssa.FieldAddr:
			if f, ok := keeperOf(in.X).(*types.Var); ok && f.Pkg() != nil && bounds(fieldOf(in), nil) && sends(f.Type()) {
				out[library(f.Pkg().Path())] = true
			}
		}
	}
	return out
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
