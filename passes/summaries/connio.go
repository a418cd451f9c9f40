package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/contexts"
)

// ofConn is I/O on a connection that the tables know.
func (r *Result) ofConn(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	if inLoop(c.Block()) && row.Use == "" && (r.flow.loose(fn) || !replies(fn)) {
		return nil // a loop that receives is meant to last
	}
	if r.conns == nil || onlyBuffered(t) || !r.conns.bare(c, t, row) {
		return nil // what is there already, bounded by a deadline, or made out of sight
	}
	if r.tunnels(fn, t, row) {
		return nil // lasts as long as its two ends talk
	}
	w := Wait{End: ByNothing, Name: contexts.CalledName(t), Use: row.Use, Traits: Traits{Known: true, Meant: row.Meant}, Conn: true, Src: c.Common().Pos(), In: fn}
	return []effect{{Wait: w, call: c, fn: fn}}
}

// bare reports whether a connection on which the call waits, be it one of two, has no deadline.
func (c *conns) bare(call ssa.CallInstruction, t contexts.Target, row knowledge.Row) bool {
	places := append([]knowledge.Place{row.On}, row.Also...)
	if !row.On.IsSet() {
		places[0].Kind = knowledge.Recv
	}
	for _, p := range places {
		on := t.At(p)
		if on == nil || c.sends(call, on) {
			continue // a datagram is gone at once
		}
		if c.of(call, on, row.Use != "") == connBare || c.awaitsReply(call, on) {
			return true
		}
	}
	return false
}

// onlyBuffered reports whether a read asks for what is in the buffer already.
func onlyBuffered(t contexts.Target) bool {
	call, ok := t.Param(0).(*ssa.Call)
	return ok && calledIs(call, "(*bufio.Reader).Buffered")
}

// replies reports whether fn can succeed: a loop in it reads a reply to its end. One that only an error ends is meant to last.
func replies(fn *ssa.Function) bool {
	found := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) < 2 {
			continue
		}
		switch v := ret.Results[len(ret.Results)-1].(type) {
		case *ssa.Const:
			found = found || v.IsNil()
		case *ssa.Call:
			found = found || calledIs(v, "(*bufio.Scanner).Err") // nil at the end of what was read
		}
	}
	return found
}
