package summaries

import "golang.org/x/tools/go/ssa"

// argsFor returns what callers in sight pass for a parameter, and whether each of them does so in a call that can be read.
func (r *Result) argsFor(p *ssa.Parameter) (vals []ssa.Value, all bool) {
	fn := p.Parent()
	i := paramIndex(fn, p)
	all = true
	for _, s := range r.callers[fn] {
		targets, _ := r.ctx.Targets(s.in.Common())
		found := false
		for _, t := range targets {
			if t.Fn == fn && i >= 0 && i < len(t.Args) && t.Args[i] != nil {
				vals, found = append(vals, t.Args[i]), true
			}
		}
		all = all && found // or it is passed to somebody who calls it
	}
	return vals, all
}
