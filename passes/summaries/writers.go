package summaries

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// writers are the writing end of a pipe and the writers that are put on it, such as a gzip.Writer, in a function.
type writers struct {
	r    *Result
	pipe *aliases
	on   *aliases
}

// spread finds both in a function.
func (w *writers) spread(fn *ssa.Function) {
	for more := true; more; {
		w.pipe.spread(fn)
		w.on.spread(fn)
		more = false
		for c := range ssawalk.Calls(fn) {
			call, ok := c.(*ssa.Call)
			if !ok || !w.in(call) {
				continue
			}
			for _, v := range resultsOf(call) {
				if !w.on.vals[v] && (canWrite(v.Type()) || calledIs(call, "io.TeeReader")) {
					w.on.vals[v], more = true, true
				}
			}
		}
	}
}

// in reports whether a call is made on one of them, or is given one.
func (w *writers) in(c ssa.CallInstruction) bool {
	s := ssawalk.Resolve(c)
	return w.has(s.Recv) || w.given(s)
}

func (w *writers) given(s ssawalk.Site) bool {
	if slices.ContainsFunc(s.Args, w.has) {
		return true
	}
	return len(s.Args) > 0 && s.Signature().Variadic() && slices.ContainsFunc(contexts.Elements(s.Args[len(s.Args)-1]), w.has)
}

func (w *writers) has(v ssa.Value) bool { return v != nil && (w.pipe.vals[v] || w.on.vals[v]) }

// resultsOf returns the results of a call that are used.
func resultsOf(call *ssa.Call) []ssa.Value {
	if _, ok := call.Type().(*types.Tuple); !ok {
		return []ssa.Value{call}
	}
	var out []ssa.Value
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok {
			out = append(out, x)
		}
	}
	return out
}

// canWrite reports whether values of type t write, by what they can do: Write, WriteHeader, Encode, Flush.
func canWrite(t types.Type) bool {
	if _, ptr := t.(*types.Pointer); !ptr && !types.IsInterface(t) {
		return false
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		name := methods.At(i).Obj().Name()
		if strings.HasPrefix(name, "Write") || name == "Encode" || name == "Flush" {
			return true
		}
	}
	return false
}

// maxWriters is how many functions may stand between a goroutine and the write.
const maxWriters = 3

// writes returns the first of the calls by which fn surely writes to the pipe, or nil. It need not when an error comes before.
func (w *writers) writes(fn *ssa.Function, depth int) ssa.CallInstruction {
	if len(fn.Blocks) == 0 || depth > maxWriters {
		return nil
	}
	w.spread(fn)
	s := &sureWrites{calls: make(map[ssa.Instruction]bool), rounds: make(map[*ssa.BasicBlock]*channels.Loop)}
	var first ssa.CallInstruction
	for c := range ssawalk.Calls(fn) {
		call, ok := c.(*ssa.Call)
		if !ok || !w.writesBy(call, depth) {
			continue
		}
		s.calls[call] = true
		if first == nil || call.Pos() < first.Pos() {
			first = call
		}
	}
	for c := range s.calls {
		s.addRounds(c.Block())
	}
	if first == nil || len(reached(fn.Blocks[0].Instrs[0], isReturn, s.writes, s.goesOn)) > 0 {
		return nil
	}
	return first
}

// sureWrites are the calls in a function that write to a pipe, and the loops of which each round does, by their headers: they are taken to
// have something to go over. A loop over a channel is not: whoever sends may send nothing.
type sureWrites struct {
	calls  map[ssa.Instruction]bool
	rounds map[*ssa.BasicBlock]*channels.Loop
}

// addRounds adds the loops around a block, the innermost first, as far as each round of them writes.
func (s *sureWrites) addRounds(b *ssa.BasicBlock) {
	for l := channels.LoopOf(b); l != nil; l = l.Outer() {
		if slices.ContainsFunc(l.Header.Instrs, takesSent) {
			return
		}
		again := func(in ssa.Instruction) bool { return in == l.Header.Instrs[0] }
		for _, next := range l.Header.Succs {
			if l.Blocks[next] && next != l.Header && len(reached(next.Instrs[0], again, s.writes, s.goesOn)) > 0 {
				return
			}
		}
		s.rounds[l.Header] = l
	}
}

// takesSent reports whether an instruction takes what others send: a receive, a select.
func takesSent(in ssa.Instruction) bool {
	if _, ok := in.(*ssa.Select); ok {
		return true
	}
	u, ok := in.(*ssa.UnOp)
	return ok && u.Op == token.ARROW
}

func (s *sureWrites) writes(in ssa.Instruction) bool { return s.calls[in] }

// goesOn reports whether a branch need not have to do with a write: it is no failure, and does not end a loop that writes.
func (s *sureWrites) goesOn(from, to *ssa.BasicBlock) bool {
	l := s.rounds[from]
	return (l == nil || l.Blocks[to]) && !onFailure(from, to)
}

// writesBy reports whether a call writes to the pipe: a method of one of the writers, or what is given one and hands none back.
func (w *writers) writesBy(c ssa.CallInstruction, depth int) bool {
	s := ssawalk.Resolve(c)
	if w.pipe.vals[s.Recv] && s.Recv != nil {
		return s.Func != nil && s.Func.Name() == "Write"
	}
	if w.on.vals[s.Recv] && s.Recv != nil {
		return s.Func != nil && !saysNothing(s.Func.Name())
	}
	targets, _ := w.r.ctx.Targets(c.Common())
	for _, t := range targets {
		if t.Fn == nil || len(t.Fn.Blocks) == 0 {
			continue
		}
		if len(targets) > 1 || w.into(t).writes(t.Fn, depth+1) == nil {
			return false // one of several; a function of this package that need not write
		}
		return true
	}
	if !w.given(s) || s.Func != nil && saysNothing(s.Func.Name()) {
		return false
	}
	for v := range s.Signature().Results().Variables() {
		if _, plain := v.Type().Underlying().(*types.Basic); !plain && !typeset.IsError(v.Type()) {
			return false // it may keep the writer for later
		}
	}
	return true
}

// into returns the writers as a function that is called has them: in its parameters, and in the variables that it captures.
func (w *writers) into(t contexts.Target) *writers {
	in := &writers{r: w.r, pipe: w.pipe.within(), on: w.on.within()}
	for i, a := range t.Args {
		if i >= len(t.Fn.Params) {
			break
		}
		in.pipe.vals[t.Fn.Params[i]] = w.pipe.vals[a]
		in.on.vals[t.Fn.Params[i]] = w.on.vals[a]
	}
	return in
}

// saysNothing reports whether a method or function, by its name, only sets or tells something, or puts something away for later.
func saysNothing(name string) bool {
	for _, w := range [...]string{"Set", "With", "New", "Use", "Register", "Reset", "Boundary", "FormDataContentType", "Available", "Buffered", "Size", "Len", "Name", "String"} {
		if strings.HasPrefix(name, w) {
			return true
		}
	}
	return false
}
