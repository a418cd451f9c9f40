package rewrites

import (
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/settings"
)

// flow follows a context, or a handle made with one, from where it is made: does every use end before the function returns?
type flow struct {
	pkg    *types.Package
	tables *knowledge.Tables
	seen   map[ssa.Value]bool
}

func newFlow(pass *analysis.Pass) *flow {
	return &flow{pkg: pass.Pkg, tables: settings.Of(pass).Knowledge(), seen: make(map[ssa.Value]bool)}
}

// stays reports whether nothing keeps the value, or what is derived from it, beyond the call in which it is made. What is
// met again on the way was looked at already.
func (f *flow) stays(v ssa.Value) bool {
	if f.seen[v] || v.Referrers() == nil {
		return true
	}
	f.seen[v] = true
	for _, ref := range *v.Referrers() {
		if !f.staysAt(ref, v) {
			return false
		}
	}
	return true
}

func (f *flow) staysAt(ref ssa.Instruction, v ssa.Value) bool {
	switch ref := ref.(type) {
	case *ssa.Call:
		return f.staysInCall(ref, v)
	case *ssa.Store:
		if ref.Addr == v {
			return true // something else is stored to a variable that held it
		}
		a, ok := ref.Addr.(*ssa.Alloc)
		return ok && f.stays(a)
	case *ssa.MakeClosure:
		return f.closureAtOnce(ref) && f.stays(captured(ref, v))
	case *ssa.Phi, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.ChangeType, *ssa.TypeAssert:
		return f.stays(ref.(ssa.Value))
	case *ssa.Extract:
		return !carries(ref.Type()) || f.stays(ref)
	case *ssa.UnOp:
		return ref.Op == token.ARROW || f.stays(ref)
	case *ssa.Return:
		return !typeset.IsContext(v.Type()) && !exported(ref.Parent()) // a handle, for callers in sight, whose waits were judged
	case *ssa.BinOp, *ssa.DebugRef, *ssa.Select, *ssa.If, *ssa.FieldAddr:
		return true
	}
	return false
}

// captured returns the variable that a captured value is in the literal.
func captured(mc *ssa.MakeClosure, v ssa.Value) ssa.Value {
	for i, b := range mc.Bindings {
		if b == v {
			return mc.Fn.(*ssa.Function).FreeVars[i]
		}
	}
	return v
}

// carries reports whether a value of the type can hold on to a context: not an error, not a cancel function, not plain data.
func carries(t types.Type) bool {
	return !typeset.IsError(t) && !typeset.IsCancel(t)
}

func exported(fn *ssa.Function) bool {
	obj := fn.Object()
	return obj == nil || obj.Exported()
}

// staysInCall reports whether a call that is given the value, or is made on it, keeps nothing of it.
func (f *flow) staysInCall(c *ssa.Call, v ssa.Value) bool {
	site := ssawalk.Resolve(c)
	if site.Recv == v && site.Func != nil && !typeset.IsContext(v.Type()) {
		return f.staysInMethod(c, v, site)
	}
	if row, ok := f.row(site.Func); ok {
		switch row.Verb {
		case knowledge.Derives, knowledge.Binds, knowledge.Drops:
			return f.stays(c)
		case knowledge.Waits:
			return !row.Meant && f.resultStays(c)
		case knowledge.Spawns, knowledge.Enters:
			return false
		}
		return f.resultStays(c)
	}
	if site.Recv == v {
		return f.resultStays(c) // Done, Err, Value, Deadline
	}
	if site.Fn != nil && site.Fn.Blocks != nil {
		return f.staysInBody(c, v, site.Fn) && f.resultStays(c)
	}
	return !keeps(site.Func) && f.resultStays(c)
}

// staysInMethod is a method of the handle itself. One that returns such a handle again hands the context on, unless it puts
// another in; of a command, Start counts only beside a Wait.
func (f *flow) staysInMethod(c *ssa.Call, v ssa.Value, site ssawalk.Site) bool {
	if site.Name() != "(*os/exec.Cmd).Start" {
		row, ok := f.row(site.Func)
		return !types.Identical(c.Type(), v.Type()) || ok && row.Verb == knowledge.Binds || f.stays(c)
	}
	for _, ref := range *v.Referrers() {
		if other, ok := ref.(*ssa.Call); ok && ssawalk.CalleeName(other) == "(*os/exec.Cmd).Wait" {
			return true
		}
	}
	return false
}

// staysInBody follows the value into a function of this package.
func (f *flow) staysInBody(c *ssa.Call, v ssa.Value, fn *ssa.Function) bool {
	for i, a := range c.Call.Args {
		if a == v && i < len(fn.Params) && !f.stays(fn.Params[i]) {
			return false
		}
	}
	return true
}

func (f *flow) row(fn *types.Func) (knowledge.Row, bool) {
	if fn == nil {
		return knowledge.Row{}, false
	}
	return f.tables.Of(fn)
}

// beginnings are the words that begin the name of a function that keeps what it is given, or starts what goes on.
var beginnings = []string{"new", "start", "open", "watch", "subscribe", "listen", "serve", "spawn", "go", "async", "submit",
	"schedule", "register", "consume", "keep", "set", "with", "init", "attach", "background"}

// keeps reports whether a function of which no body is in sight may keep a context, by its name.
func keeps(fn *types.Func) bool {
	if fn == nil {
		return false // a function value: it is called, and judged by its signature
	}
	for _, w := range beginnings {
		if rest, ok := strings.CutPrefix(strings.ToLower(fn.Name()), w); ok {
			if rest == "" || !unicode.IsLower(rune(fn.Name()[len(w)])) {
				return true // Open, OpenFile, not Opening
			}
		}
	}
	return false
}
