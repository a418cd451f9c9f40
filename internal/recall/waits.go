package main

import (
	"go/ast"
	"go/types"
	"maps"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// class says why a callee is taken to wait.
type class string

const (
	byTable     class = "table"     // the tables say so
	bySignature class = "signature" // a function or method of a library with a context and an error
	byHelper    class = "helper"    // an own function that reaches one of these
	byContext   class = "context"   // the code asks or hears its context itself
)

const newRequest = "net/http.NewRequestWithContext"

// waits knows which calls end by the context given.
type waits struct {
	tables  *knowledge.Tables
	own     map[string]bool // import paths
	helpers map[string]int  // own functions by full name: how many calls above a wait they stand
	rooted  map[*types.Func]bool
}

func newWaits(tables *knowledge.Tables) *waits {
	return &waits{tables: tables, own: map[string]bool{}, helpers: map[string]int{}, rooted: map[*types.Func]bool{}}
}

// wait is a call that waits.
type wait struct {
	fn    *types.Func
	class class
	arg   int // which argument is the context
	hops  int // calls between this one and the wait: 0 for the wait itself
}

// call reports whether the call waits until its context ends.
func (w *waits) call(info *types.Info, call *ast.CallExpr) (wait, bool) {
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return wait{}, false
	}
	fn = fn.Origin()
	name := fn.FullName()
	if row, ok := w.tables.Func(name); ok {
		direct := row.Verb == knowledge.Waits && row.Ctx.Kind == knowledge.Param && row.Ctx.Sel == "" && !row.Meant && !row.ByRecv
		return wait{fn, byTable, row.Ctx.Index, 0}, direct && row.Ctx.Index < len(call.Args)
	}
	i := typeset.ContextParam(fn.Signature())
	if i < 0 || i >= len(call.Args) || !typeset.ReturnsError(fn.Signature()) && w.helpers[name] == 0 {
		return wait{}, false
	}
	if w.own[fn.Pkg().Path()] {
		return wait{fn, byHelper, i, w.helpers[name]}, w.helpers[name] > 0
	}
	return wait{fn, bySignature, i, 0}, !knowledge.IsStd(fn.Pkg().Path())
}

// learn finds the own functions that hand their context to a wait, or to a request that they send, and then those that hand theirs to one of these.
func (w *waits) learn(pkgs []*packages.Package) {
	for _, p := range pkgs {
		maps.Copy(w.rooted, rooted(p))
	}
	for hops := 1; hops <= 2; hops++ {
		found := map[string]bool{}
		for _, p := range pkgs {
			for _, file := range p.Syntax {
				w.learnFile(p.TypesInfo, file, hops, found)
			}
		}
		for name, ok := range found {
			if ok {
				w.helpers[name] = hops
			}
		}
	}
}

func (w *waits) learnFile(info *types.Info, file *ast.File, hops int, found map[string]bool) {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		fn := info.Defs[d.Name].(*types.Func)
		if typeset.ContextParam(fn.Signature()) < 0 || w.helpers[fn.FullName()] > 0 || isCleanup(d.Name.Name) {
			continue
		}
		c := newCarriers(info, d)
		c.eachCall(func(call *ast.CallExpr, in region) {
			if in.apart {
				return
			}
			if called, _ := typeutil.Callee(info, call).(*types.Func); called != nil && called.FullName() == newRequest {
				found[fn.FullName()] = found[fn.FullName()] || hops == 1 && c.inherited(call.Args[0]) && c.sent(in)
				return
			}
			wt, ok := w.call(info, call)
			if ok && wt.hops == hops-1 && c.inherited(call.Args[wt.arg]) {
				found[fn.FullName()] = true
			}
		})
	}
}
