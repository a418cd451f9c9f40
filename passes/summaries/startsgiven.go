package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// startsGiven reports whether a call gives a function to one of this package that runs what it is given in a goroutine:
//
//	run := func(stage func() error) {
//		wg.Add(1)
//		go func() { defer wg.Done(); stage() }()
//	}
func (d *deaf) startsGiven(s site, fn *ssa.Function) bool {
	targets, _ := d.r.ctx.Targets(s.in.Common())
	for _, t := range targets {
		if t.Fn == nil {
			continue
		}
		for i, a := range t.Args {
			for _, given := range d.r.ctx.Funcs(a) {
				if given.Fn == fn && i < len(t.Fn.Params) && callsApart(t.Fn, t.Fn.Params[i]) {
					return true
				}
			}
		}
	}
	return false
}

// callsApart reports whether a function, or a literal in it, calls a parameter of the function in a goroutine.
func callsApart(fn *ssa.Function, p *ssa.Parameter) bool {
	for _, f := range family(fn) {
		for c := range ssawalk.Calls(f) {
			if ssawalk.Source(c.Common().Value) != ssa.Value(p) {
				continue
			}
			if _, isGo := c.(*ssa.Go); isGo || f.Parent() != nil && startedInGo(f) {
				return true
			}
		}
	}
	return false
}

// startedInGo reports whether a literal is what a go statement starts.
func startedInGo(lit *ssa.Function) bool {
	for _, mc := range closures(lit) {
		for _, ref := range *mc.Referrers() {
			if g, ok := ref.(*ssa.Go); ok && g.Call.Value == mc {
				return true
			}
		}
	}
	return false
}
