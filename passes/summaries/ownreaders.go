package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// ofReaders is what a function of a library that reads or writes for others, such as io.Copy, waits for in the Read or Write of a type of
// this package: another goroutine. What such a method waits for outside is judged where it stands.
func (r *Result) ofReaders(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	var out []effect
	for _, p := range append([]knowledge.Place{row.On}, row.Also...) {
		on := t.At(p)
		if on == nil || !types.IsInterface(on.Type()) {
			continue // a connection of its own type
		}
		of := ssawalk.Source(on)
		for _, name := range []string{"Read", "Write"} {
			if typeset.Method(on.Type(), name) == nil {
				continue
			}
			method := typeset.Method(of.Type(), name)
			body := r.ir.Func(method)
			if body == nil || r.sums[body] == nil {
				continue // of another package
			}
			to := contexts.Target{Obj: method, Fn: body, Sig: method.Signature(), Args: []ssa.Value{of}}
			for _, e := range r.ofSummary(fn, c, to, r.sums[body]) {
				if e.Deaf {
					out = append(out, e)
				}
			}
		}
	}
	return out
}
