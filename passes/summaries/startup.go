package summaries

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/words"
)

// startsUp reports whether fn runs before anything is served, by its name or where it lies: it brings a schema up to date, recovers
// what was stored, sets up. Nobody's request waits for it, it may rightly take long, and who started the program sees that it hangs.
// A constructor is none: many are made per request.
func (r *Result) startsUp(fn *ssa.Function) bool {
	top := ssawalk.Declared(ssawalk.Outermost(fn))
	name := top.Name()
	switch {
	case strings.HasPrefix(name, "init#"):
		return true
	case r.entries.Entry(top):
		return false // whatever it is called, it is called for each session, request or message
	}
	if top.Synthetic != "" { // the package's initializer: a literal in a variable
		name = r.variableAround(fn.Pos())
	}
	said := words.Of(name + " " + filepath.Base(r.pass.Fset.Position(fn.Pos()).Filename) + " " + r.pass.Pkg.Name())
	if slices.ContainsFunc(said, func(w string) bool { return strings.HasPrefix(w, "migrat") || strings.HasPrefix(w, "bootstrap") }) {
		return true
	}
	own := words.Of(name)
	return len(own) > 0 && slices.Contains(startWords, own[0])
}

// opensWith reports whether a call pings the database that its function has just opened: the handle is made once, at the start.
func opensWith(call ssa.CallInstruction) bool {
	if call == nil || !calledIs(call, "(*database/sql.DB).Ping") {
		return false
	}
	from, ok := ssawalk.Source(call.Common().Args[0]).(*ssa.Extract)
	if !ok {
		return false
	}
	_, opened := from.Tuple.(*ssa.Call)
	return opened
}

// variableAround returns the variable of the package with whose value a literal is declared.
func (r *Result) variableAround(pos token.Pos) string {
	for _, file := range r.pass.Files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || pos < d.Pos() || pos >= d.End() {
				continue
			}
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && v.Pos() <= pos && pos < v.End() {
					return v.Names[0].Name
				}
			}
		}
	}
	return ""
}

// startWords begin the names of functions that run once, at the start.
var startWords = []string{"init", "initialize", "initialise", "setup", "recover", "install"}
