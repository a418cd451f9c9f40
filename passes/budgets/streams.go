package budgets

import (
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// A handler that writes whatever comes until its client leaves, as one of server-sent events does, is cut off by the server's WriteTimeout
// however often it writes: that runs from the end of the request's header, and is for the whole answer (net/http, Server.WriteTimeout).

// cutOff compares a server's WriteTimeout with those of its handlers that write until their client leaves.
func (p *program) cutOff(st *ssa.Store, limit time.Duration, served []*ssa.Function) (Misfit, bool) {
	for _, fn := range served {
		w := &holding{p: p, seen: map[*ssa.Function]bool{}}
		if at := w.streams(fn, 0); at.IsValid() {
			return Misfit{Kind: "stream", At: st.Pos(), Limit: limit, Name: "http.Server", Parts: []Part{
				{Pos: at, Text: "the handler goes on until its context is done"},
			}}, true
		}
	}
	return Misfit{}, false
}

// streams returns where a handler, or what it calls before it returns, goes round like this; NoPos where it does not.
func (w *holding) streams(fn *ssa.Function, depth int) token.Pos {
	if w.seen[fn] || depth > maxHoldDepth {
		return token.NoPos
	}
	w.seen[fn] = true
	for _, l := range w.p.loopsOf(fn) {
		if at := l.untilClientLeaves(); at.IsValid() {
			return at
		}
	}
	for c := range ssawalk.Calls(fn) {
		if call, ok := c.(*ssa.Call); ok {
			if below := ssawalk.Resolve(call).Fn; below != nil && len(below.Blocks) > 0 {
				if at := w.streams(below, depth+1); at.IsValid() {
					return at
				}
			}
		}
	}
	return token.NoPos
}

// untilClientLeaves returns the select of a loop that sends what it has at once, and that only the end of a context is seen to leave; NoPos
// for any other loop.
func (l *loop) untilClientLeaves() token.Pos {
	at, flushes := token.NoPos, false
	for b := range l.body {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Select:
				if goesOn(in) && (!at.IsValid() || in.Pos() < at) {
					at = in.Pos()
				}
			case *ssa.Call:
				f := ssawalk.Callee(in)
				flushes = flushes || f != nil && f.Name() == "Flush"
			}
		}
	}
	if !flushes {
		return token.NoPos
	}
	return at
}

// goesOn reports whether a select waits for the end of a context, and for what comes until then: a ticker, or a channel of which nobody
// asks whether it is closed. One that may be closed ends the answer when all is said.
func goesOn(sel *ssa.Select) bool {
	done, ticked, closed := false, false, false
	for _, s := range sel.States {
		switch {
		case s.Dir != types.RecvOnly:
			return false
		case loops.IsDone(s.Chan):
			done = true
		case ticks(s.Chan):
			ticked = true
		case loops.IsTimer(s.Chan.Type()):
			return false // it ends it, or what it says is not known
		default:
			closed = closed || typeset.IsSignalChan(s.Chan.Type()) || asksClosed(sel)
		}
	}
	return sel.Blocking && done && len(sel.States) > 1 && (ticked || !closed)
}

// ticks reports whether a channel is a ticker's.
func ticks(ch ssa.Value) bool {
	_, ticker := loops.Ticks(ch)
	return ticker
}

// asksClosed reports whether somebody asks whether a receive of a select got something. All receives of a select share the answer.
func asksClosed(sel *ssa.Select) bool {
	for _, ref := range *sel.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 1 {
			return true
		}
	}
	return false
}
