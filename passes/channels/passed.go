package channels

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// countCalls notes the calls in sight of each function: those of the function itself, then those of a parameter that it is
// passed for. A test may read what is known, and never feeds it.
func (f *finder) countCalls() {
	f.calls = make(map[*ssa.Function]int)
	var unknown []ssa.CallInstruction
	for _, fn := range f.ir.Funcs {
		if f.ir.InTest(fn) {
			continue
		}
		for c := range ssawalk.Calls(fn) {
			targets, _ := f.ctx.Targets(c.Common())
			for _, t := range targets {
				if t.Fn != nil {
					f.calls[t.Fn]++
					f.r.sites[t.Fn] = append(f.r.sites[t.Fn], t)
				}
			}
			if len(targets) == 0 {
				unknown = append(unknown, c)
			}
		}
	}
	for _, c := range unknown {
		passed, _ := f.r.Passed(c)
		for _, t := range passed {
			if t.Fn != nil {
				f.calls[t.Fn]++
			}
		}
	}
}

// Passed returns what a call of a function parameter runs, when only callers in sight pass something for it, and whether that is
// all.
func (r *Result) Passed(c ssa.CallInstruction) ([]contexts.Target, bool) {
	p := param(c.Common().Value)
	if p == nil {
		return nil, false
	}
	fn := p.Parent()
	if obj, ok := fn.Object().(*types.Func); ok && obj.Exported() {
		return nil, false // others pass theirs
	}
	var out []contexts.Target
	for _, site := range r.sites[fn] {
		for i, q := range fn.Params {
			if p != q || i >= len(site.Args) {
				continue
			}
			fns := r.ctx.Funcs(site.Args[i])
			if len(fns) == 0 {
				return nil, false
			}
			for _, f := range fns {
				f.Args, f.Sig = append(f.Args[:len(f.Args):len(f.Args)], c.Common().Args...), c.Common().Signature()
				out = append(out, f)
			}
		}
	}
	return out, len(out) > 0
}

// param returns the function parameter that is called, seen through captures, or nil.
func param(v ssa.Value) *ssa.Parameter {
	p, _ := ssawalk.Source(v).(*ssa.Parameter)
	return p
}
