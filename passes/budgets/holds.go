package budgets

import (
	"go/token"
	"regexp"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/loops"
)

// A handler that holds its request until something comes, or a timer fires, answers when the timer says, on an idle day each time: a
// long poll. One that gives what it calls a timeout answers by then, on a bad day: what it says of it is worth nothing when nobody reads
// it. The server's WriteTimeout, which runs from the end of the request's header, must be longer than either.

// hold is such a wait, and how long it may last.
type hold struct {
	at     token.Pos
	length time.Duration
}

// held compares a server's WriteTimeout with the longest hold of its handlers.
func (p *program) held(st *ssa.Store, limit time.Duration) (Misfit, bool) {
	server := st.Addr.(*ssa.FieldAddr).X
	if stored(server, "WriteTimeout") != st.Val || p.liftsLimit() {
		return Misfit{}, false // set anew; some handler sets its own deadline, or takes the connection over
	}
	var longest hold
	served := p.served(stored(server, "Handler"), 0)
	for _, fn := range served {
		w := &holding{p: p, given: map[*ssa.Parameter]ssa.Value{}, seen: map[*ssa.Function]bool{}}
		if h := w.of(fn, 0); h.length > longest.length {
			longest = h
		}
	}
	if longest.length < limit {
		return p.cutOff(st, limit, served)
	}
	return Misfit{Kind: "write", At: st.Pos(), Limit: limit, Total: longest.length, Name: "http.Server", Parts: []Part{
		{Pos: longest.at, Text: "the handler waits up to " + durations.Text(longest.length)},
	}}, true
}

// holding looks for the hold of one handler.
type holding struct {
	p     *program
	given map[*ssa.Parameter]ssa.Value // what the functions on the way were given
	seen  map[*ssa.Function]bool
}

// maxHoldDepth is how many calls below a handler a hold is looked for.
const maxHoldDepth = 4

// of returns the longest hold of a function, in it or in what it calls before it returns.
func (w *holding) of(fn *ssa.Function, depth int) hold {
	var out hold
	if w.seen[fn] || depth > maxHoldDepth {
		return out
	}
	w.seen[fn] = true
	for in := range ssawalk.Instrs(fn) {
		var h hold
		switch in := in.(type) {
		case *ssa.Select:
			h = w.ofSelect(fn, in)
		case *ssa.UnOp:
			if in.Op == token.ARROW && loops.IsTimer(in.X.Type()) {
				h = w.timed(fn, in, in.X)
			}
		case *ssa.Call:
			h = w.ofCall(in, depth)
		}
		if h.length > out.length {
			out = h
		}
	}
	return out
}

// ofSelect is the hold of a select: the first of its timers ends it.
func (w *holding) ofSelect(fn *ssa.Function, sel *ssa.Select) hold {
	var out hold
	if !sel.Blocking {
		return out
	}
	for _, s := range sel.States {
		if !loops.IsTimer(s.Chan.Type()) {
			continue
		}
		h := w.timed(fn, sel, s.Chan)
		if h.length == 0 {
			return hold{} // a ticker, or how long is not known
		}
		if out.length == 0 || h.length < out.length {
			out = h
		}
	}
	return out
}

// timed is the hold by a timer of constant length, unless a loop makes one anew in each round, or somebody sets it anew.
func (w *holding) timed(fn *ssa.Function, at ssa.Instruction, ch ssa.Value) hold {
	made := loops.TimerOf(ch)
	if made == nil {
		return hold{}
	}
	switch ssawalk.CalleeName(made) {
	case "time.After", "time.NewTimer":
	default:
		return hold{}
	}
	for _, l := range w.p.loopsOf(fn) {
		if l.body[at.Block()] && l.body[made.Block()] {
			return hold{} // between events, which are answers of their own
		}
	}
	for _, ref := range *made.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok && ssawalk.CalleeName(c) == "(*time.Timer).Reset" {
			return hold{}
		}
	}
	return hold{at.Pos(), w.length(made.Call.Args[0])}
}

// waitsUnder reports whether a context that a call makes is given to a call that the function waits for and that can fail: it may take as
// long as the context says.
func waitsUnder(made *ssa.Call) bool {
	for _, ref := range *made.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, use := range *x.Referrers() {
			c, ok := use.(*ssa.Call)
			if ok && typeset.ReturnsError(c.Call.Signature()) {
				return true
			}
		}
	}
	return false
}

// length is a duration that is known, also as what a function on the way was given.
func (w *holding) length(v ssa.Value) time.Duration {
	for range maxHoldDepth {
		param, ok := v.(*ssa.Parameter)
		if !ok || w.given[param] == nil {
			break
		}
		v = w.given[param]
	}
	d, _ := w.p.lengths.Of(v)
	return d
}

func (w *holding) ofCall(c *ssa.Call, depth int) hold {
	s := ssawalk.Resolve(c)
	switch s.Name() {
	case "time.Sleep":
		return hold{c.Pos(), w.length(s.Arg(0))}
	case "context.WithTimeout":
		if waitsUnder(c) {
			return hold{c.Pos(), w.length(s.Arg(1))}
		}
		return hold{}
	}
	if s.Fn == nil || len(s.Fn.Blocks) == 0 {
		return hold{}
	}
	for i, param := range s.Fn.Params {
		if typeset.IsDuration(param.Type()) && i < len(c.Call.Args) && len(c.Call.Args) == len(s.Fn.Params) {
			w.given[param], w.seen[s.Fn] = c.Call.Args[i], false // each call may be given another
		}
	}
	return w.of(s.Fn, depth+1)
}

// lifting matches the calls after which a server's WriteTimeout is none of a handler's business: it sets a deadline of its own, or the
// connection is a WebSocket's.
var lifting = regexp.MustCompile(`^(SetWriteDeadline|SetDeadline|Hijack|Upgrade|UpgradeHTTP)$`)

// liftsLimit reports whether something in the package lifts the limit.
func (p *program) liftsLimit() bool {
	for _, fn := range p.code.Funcs {
		for c := range ssawalk.Calls(fn) {
			f := ssawalk.Callee(c)
			switch {
			case f == nil:
				continue
			case lifting.MatchString(f.Name()):
				return true
			case f.Name() == "Accept" && len(c.Common().Args) > 1 && typeset.Is(c.Common().Args[0].Type(), "net/http", "ResponseWriter"):
				return true
			}
		}
	}
	return false
}
