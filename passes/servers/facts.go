package servers

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// treats is the fact of an exported function that is given servers or returns them.
type treats struct {
	Params  []treatedParam
	Results []madeResult
}

// treatedParam says what the function does to a parameter, the receiver counted as the first.
type treatedParam struct {
	Param  int
	Serves bool
	Bounds Bound
}

// madeResult says where the server comes from that the function returns: from parameters, or made here and not yet reported.
type madeResult struct {
	Index int
	From  []int
	Bare  bool // made here without a header bound
	Has   Bound
}

func (*treats) AFact() {}

func (f *treats) String() string {
	var parts []string
	for _, p := range f.Params {
		if p.Bounds != 0 {
			parts = append(parts, fmt.Sprintf("bounds param %d", p.Param))
		}
		if p.Serves {
			parts = append(parts, fmt.Sprintf("serves param %d", p.Param))
		}
	}
	for _, r := range f.Results {
		for _, p := range r.From {
			parts = append(parts, fmt.Sprintf("returns param %d", p))
		}
		if r.Bare {
			parts = append(parts, "returns a bare server")
		}
	}
	return strings.Join(parts, "; ")
}

// fact returns the fact of a function of another own package, or nil.
func (b *book) fact(fn *types.Func) *treats {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == b.pass.Pkg {
		return nil
	}
	if f, ok := b.facts[fn]; ok {
		return f
	}
	f := new(treats)
	if !b.pass.ImportObjectFact(fn, f) {
		f = nil
	}
	b.facts[fn] = f
	return f
}

// seen is the fact of a package that was looked at: a function of it without a fact does nothing to a server that it takes as such.
type seen struct{}

func (*seen) AFact() {}

func (*seen) String() string { return "servers seen" }

// harmless reports whether a function of another own package was looked at and does nothing to a server. One that takes it as any
// may look what it is.
func (b *book) harmless(t contexts.Target) bool {
	if t.Obj.Pkg() == nil || typeset.IsInterfaceMethod(t.Obj) || !b.pass.ImportPackageFact(t.Obj.Pkg(), new(seen)) {
		return false
	}
	for v := range t.Obj.Signature().Params().Variables() {
		if i, ok := v.Type().Underlying().(*types.Interface); ok && i.NumMethods() == 0 || isVariadicAny(v.Type()) {
			return false
		}
	}
	return true
}

func isVariadicAny(t types.Type) bool {
	s, ok := t.(*types.Slice)
	return ok && types.IsInterface(s.Elem())
}

// export writes the facts of functions that other packages can name.
func (b *book) export() {
	for _, fn := range b.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !typeset.Exported(obj) || fn.Synthetic != "" {
			continue
		}
		f := new(treats)
		for i, p := range fn.Params {
			if t := b.sums[p]; t != nil && (t.serves || t.bounds != 0) {
				f.Params = append(f.Params, treatedParam{i, t.serves, t.bounds})
			}
		}
		for i := range fn.Signature.Results().Len() {
			if r, ok := b.made(fn, i); ok {
				f.Results = append(f.Results, r)
			}
		}
		if len(f.Params)+len(f.Results) > 0 {
			b.pass.ExportObjectFact(obj, f)
		}
	}
}

// made tells where a result comes from. What is served in this package is reported in it.
func (b *book) made(fn *ssa.Function, index int) (madeResult, bool) {
	out := madeResult{Index: index}
	for _, o := range b.returned(fn, index) {
		if p, ok := o.(*ssa.Parameter); ok {
			if i := slices.Index(fn.Params, p); i >= 0 {
				out.From = append(out.From, i)
			}
			continue
		}
		if r := b.root(o); !b.served[r] && !b.has[r].HasHeader() {
			out.Bare, out.Has = true, b.has[r]
		}
	}
	return out, out.Bare || len(out.From) > 0
}
