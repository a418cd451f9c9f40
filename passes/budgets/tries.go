package budgets

import (
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
)

// tries is what a function does again when it has failed: attempts that cap themselves, and pauses between them.
type tries struct {
	Count, Each, Pause quantity
}

// quantity is a number that is known, or the parameter that brings it.
type quantity struct {
	N     int64
	Param int // counted from one, the receiver first; 0 where the number is known
}

// known reports whether the attempts are counted and have a length.
func (t tries) known() bool {
	return t.Count.Param == 0 && t.Each.Param == 0 && t.Pause.Param == 0 && t.Count.N > 1 && t.Each.N > 0
}

// total is what all attempts and the pauses between them take.
func (t tries) total() time.Duration {
	return sum(product(time.Duration(t.Each.N), t.Count.N), product(time.Duration(t.Pause.N), t.Count.N-1))
}

// quantityOf returns a number of a function that is known, or a parameter's.
func (p *program) quantityOf(v ssa.Value) (quantity, bool) {
	if n, ok := p.lengths.Of(v); ok {
		return quantity{N: int64(n)}, n >= 0
	}
	param, ok := ssawalk.Source(v).(*ssa.Parameter)
	if !ok {
		return quantity{}, false
	}
	for i, q := range param.Parent().Params {
		if q == param {
			return quantity{Param: i + 1}, true
		}
	}
	return quantity{}, false
}

// triesOf returns the attempts of fn of which one is a call: under a cap of its own in a counted loop that goes on when it has failed.
func (p *program) triesOf(fn *ssa.Function, u use) (tries, bool) {
	outer := u.under.caps[len(u.under.caps)-1]
	for _, l := range p.loopsOf(fn) {
		if !l.body[outer.call.Block()] || l.upTo == nil || !p.goesOn(l, u.call) {
			continue
		}
		count, counted := p.quantityOf(l.upTo)
		each, capped := p.quantityOf(outer.limit)
		if !counted || !capped {
			return tries{}, false
		}
		var pause quantity
		if d, _ := p.pauseOf(l); d != nil {
			pause, _ = p.quantityOf(d) // one of unknown length counts as none
		}
		return tries{count, each, pause}, true
	}
	return tries{}, false
}

// given puts what a call gives in the place of parameters.
func (p *program) given(t tries, args []ssa.Value) tries {
	for _, q := range []*quantity{&t.Count, &t.Each, &t.Pause} {
		if q.Param == 0 {
			continue
		}
		if q.Param > len(args) || args[q.Param-1] == nil {
			return tries{}
		}
		var ok bool
		if *q, ok = p.quantityOf(args[q.Param-1]); !ok {
			return tries{}
		}
	}
	return t
}

// tried looks at a call under a cap that makes attempts, which do not fit into it.
func tried(m Misfit, u use) (Misfit, bool) {
	if !u.tries.known() || u.tries.total() <= m.Limit {
		return m, false
	}
	m.Kind, m.Count, m.Total = "attempts", u.tries.Count.N, u.tries.total()
	m.Each, m.Pause = time.Duration(u.tries.Each.N), time.Duration(u.tries.Pause.N)
	m.Parts = []Part{{Pos: u.call.Common().Pos(), Text: "makes attempts of up to " + durations.Text(m.Each) + " each"}}
	return m, true
}

// callback returns a call of a function that was handed in, which is given a context and can fail: how long it takes is not known.
func callback(call *ssa.Call) (contexts.Target, bool) {
	switch ssawalk.Source(call.Call.Value).(type) {
	case *ssa.Parameter, *ssa.FreeVar:
	default:
		return contexts.Target{}, false
	}
	sig, ok := call.Call.Value.Type().Underlying().(*types.Signature)
	if !ok || call.Call.IsInvoke() || !typeset.ReturnsError(sig) {
		return contexts.Target{}, false
	}
	return contexts.Target{Sig: sig, Args: call.Call.Args}, true
}
