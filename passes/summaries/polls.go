package summaries

import (
	"cmp"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// judgePolls judges the loops of fn that ask a context whether it is over and then read from something that does not hear it:
// the question is asked between reads, and the wait is in the read.
func (r *Result) judgePolls(c *court, fn *ssa.Function) {
	reach := r.reach(fn)
	if len(reach) == 0 || r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) {
		return
	}
	for call := range ssawalk.Calls(fn) {
		l := r.loops.Around(call)
		if l == nil || l.Ring() {
			continue
		}
		asked := polled(l)
		name := ""
		if asked != "" {
			name = cmp.Or(r.deafRead(call), r.readsBelow(call))
		}
		if name == "" || r.flow.afterDone(call) {
			continue // nobody asks; it is bounded, released, or may read what is there; nothing left to hear
		}
		w := Wait{Name: name, Src: call.Common().Pos(), In: fn}
		v := r.verdict("deafctx", "poll", w, name, reach)
		v.Subject = asked
		c.add(v)
	}
}

// polled returns how a loop asks a context whether it is over without waiting for it: "Done" by a select that has a default,
// "Err", or "" when it does not.
func polled(l *loops.Loop) string {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Select:
				for _, s := range in.States {
					if !in.Blocking && s.Dir == types.RecvOnly && loops.IsDone(s.Chan) {
						return "Done"
					}
				}
			case *ssa.Call:
				if isErrCall(in) && in.Call.IsInvoke() {
					return "Err"
				}
			}
		}
	}
	return ""
}

// deafRead returns the name of a read that a call does and that ends with nothing but what comes: from a parameter of an
// interface's type, a connection dialled here or one that a field keeps, on which nobody sets a deadline and which nobody closes when a
// context ends.
func (r *Result) deafRead(call ssa.CallInstruction) string { return r.readFrom(call, r.deafSource) }

// readFrom returns the name of a read that a call does, when all that it may read from is of a kind, or "".
func (r *Result) readFrom(call ssa.CallInstruction, is func(contexts.Conn) bool) string {
	if _, plain := call.(*ssa.Call); !plain {
		return ""
	}
	targets, _ := r.ctx.Targets(call.Common())
	if len(targets) != 1 {
		return ""
	}
	t := targets[0]
	row, ok := r.ctx.Row(t.Obj)
	if !ok || row.Verb != knowledge.Waits || !row.IO || row.Ctx.IsSet() || contexts.Writes(t.Obj.Name()) || onlyBuffered(t) {
		return ""
	}
	on := t.Recv()
	if row.On.IsSet() {
		on = t.At(row.On)
	}
	for _, also := range row.Also {
		on = t.At(also) // of a copy, what is read
	}
	if on == nil || r.ended.has(call) {
		return ""
	}
	from, sure := r.ctx.Conns(on)
	if !sure {
		return ""
	}
	for _, x := range from {
		if !is(x) {
			return ""
		}
	}
	return contexts.DisplayName(t.Obj)
}

// deafSource reports whether reads from x end with nothing but what comes.
func (r *Result) deafSource(x contexts.Conn) bool {
	if x.Field != nil {
		return r.keptDeaf(x)
	}
	if len(r.conns.sets[x]) > 0 || x.Value == nil {
		return false // a deadline, or closed when a context ends; nobody knows
	}
	for _, y := range r.ctx.Sources(x) {
		if len(r.conns.sets[y]) > 0 {
			return false
		}
	}
	p, ok := x.Value.(*ssa.Parameter)
	if !ok {
		return r.ctx.Dialled(x)
	}
	return types.IsInterface(p.Type()) && r.givenDeaf(p, 0)
}

// givenDeaf reports whether no caller in sight gives something for a reader that is in memory, a file, the body of a response,
// which ends with its request, or that a context releases.
func (r *Result) givenDeaf(p *ssa.Parameter, depth int) bool {
	fn := p.Parent()
	i := paramIndex(fn, p)
	for _, s := range r.callers[fn] {
		targets, _ := r.ctx.Targets(s.in.Common())
		for _, t := range targets {
			if t.Fn != fn || i < 0 || i >= len(t.Args) || t.Args[i] == nil {
				continue
			}
			if !r.argDeaf(t.Args[i], depth) {
				return false
			}
		}
	}
	return true
}

func (r *Result) argDeaf(arg ssa.Value, depth int) bool {
	if mi, ok := arg.(*ssa.MakeInterface); ok {
		arg = mi.X
	}
	if p, ok := arg.(*ssa.Parameter); ok && depth < 3 {
		return len(r.conns.sets[contexts.Conn{Value: p}]) == 0 && r.givenDeaf(p, depth+1)
	}
	from, sure := r.ctx.Conns(arg)
	if !sure || inMemory(arg.Type()) {
		return false
	}
	for _, x := range from {
		if x.Field != nil || len(r.conns.sets[x]) > 0 {
			return false
		}
	}
	return true
}

// inMemory reports whether a reader of that type reads what is there: a file, a buffer, a string.
func inMemory(t types.Type) bool {
	n := typeset.Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "os", "bytes", "strings", "embed", "compress/gzip":
		return true
	}
	return false
}
