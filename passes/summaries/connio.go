package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// ofConn is I/O on a connection that the tables know.
func (r *Result) ofConn(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	if row.Use == "" && (inLoop(c.Block()) && (r.flow.loose(fn) || !replies(fn)) || r.roundOfReceiver(fn)) {
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

// roundOfReceiver reports whether a function is one round of a loop that receives, written apart: only goroutines that nobody joins call
// it, in loops, and nobody there asks anything of the other side, to which what is read would be the reply.
func (r *Result) roundOfReceiver(fn *ssa.Function) bool {
	if obj := fn.Object(); obj == nil || obj.Exported() || len(r.callers[fn]) == 0 || replies(fn) || r.asks(fn) {
		return false
	}
	for _, s := range r.callers[fn] {
		if _, plain := s.in.(*ssa.Call); !plain || !inLoop(s.in.Block()) || !r.flow.loose(s.fn) || r.asks(s.fn) {
			return false
		}
	}
	return true
}

// asks reports whether a function writes to what the tables know to take time.
func (r *Result) asks(fn *ssa.Function) bool {
	for c := range ssawalk.Calls(fn) {
		targets, _ := r.ctx.Targets(c.Common())
		for _, t := range targets {
			if row, ok := r.ctx.Row(t.Obj); ok && row.IO && contexts.Writes(t.Obj.Name()) {
				return true
			}
		}
	}
	return false
}

// bare reports whether a connection on which the call waits, be it one of two, has no deadline.
func (c *conns) bare(call ssa.CallInstruction, t contexts.Target, row knowledge.Row) bool {
	places := append([]knowledge.Place{row.On}, row.Also...)
	if !row.On.IsSet() {
		places[0].Kind = knowledge.Recv
	}
	io := anyIO
	switch {
	case row.Use != "":
		io = shakesHands
	case contexts.Reads(t.Obj.Name()):
		io = reads
	case contexts.Writes(t.Obj.Name()):
		io = writing
	}
	for _, p := range places {
		on := t.At(p)
		if on == nil || c.sends(call, on) {
			continue // a datagram is gone at once
		}
		if c.of(call, on, io) == connBare || c.awaitsReply(call, on) {
			return true
		}
	}
	return false
}

// overBoundConn reports whether what is called was made on a connection that has a deadline: a rpc.Client, whose calls fail when the read of
// replies does.
func (r *Result) overBoundConn(call ssa.CallInstruction, t contexts.Target) bool {
	on := t.Recv()
	return on != nil && r.conns != nil && r.conns.of(call, on, anyIO) == connBounded
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
