package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/loops"
)

// A write to an io.Pipe waits until what is written has been read, or one of the two ends is closed (io.Pipe). Where the function that made
// the pipe and started the writer returns before it has given the reading end to anybody, neither will ever be.
//
//	pr, pw := io.Pipe()
//	go func() { pw.CloseWithError(pack(pw)) }()
//	token, err := login(ctx)
//	if err != nil {
//		return err
//	}
//	return send(ctx, token, pr)

// pipe is a pipe, and a goroutine that its maker starts.
type pipe struct {
	r       *Result
	made    *ssa.Call
	start   *ssa.Go
	reader  *aliases
	writers *writers
}

// judgePipe judges a goroutine that writes to a pipe of the function that starts it.
func (r *Result) judgePipe(c *court, fn *ssa.Function, start *ssa.Go) {
	for call := range ssawalk.Calls(fn) {
		made, ok := call.(*ssa.Call)
		if !ok || !calledIs(made, "io.Pipe") || !ssawalk.Before(made, start) {
			continue
		}
		pr, pw := extractOf(made, 0), extractOf(made, 1)
		if pw == nil || r.oneShot(fn) {
			return // nobody writes; the program is over soon
		}
		p := &pipe{r: r, made: made, start: start, reader: aliasesOf(false),
			writers: &writers{r: r, pipe: aliasesOf(true, pw), on: aliasesOf(true)}}
		if pr != nil {
			p.reader.vals[pr] = true
		}
		p.judge(c, fn)
	}
}

func (p *pipe) judge(c *court, fn *ssa.Function) {
	p.reader.spread(fn)
	p.writers.spread(fn)
	if p.endedElsewhere(fn) {
		return // others may close it, or are given it before
	}
	write := p.write()
	if write == nil {
		return // of another pipe, or it need not write
	}
	left := p.leftAt(fn)
	if left == nil {
		return // each way has something to do with the reading end, or waits for the goroutine
	}
	w := Wait{Name: "write to " + resultName(p.made, 1, "the pipe"), Src: p.start.Pos(), In: fn}
	if name := calleeName(write); write != ssa.CallInstruction(p.start) && name != "Write" && name != "" {
		w.Path = []trace.Hop{{Pos: write.Pos(), Name: name}}
	}
	v := p.r.verdict("orphan", "pipe", w, resultName(p.made, 0, "its reader"), p.r.reach(fn))
	v.Left = leftPos(left)
	p.r.addStart(c, v, fn, p.start)
}

// endedElsewhere reports whether something that the pipe's maker has may end the goroutine whatever way it goes: a literal that was made
// before the pipe has its reading end, or the writing end goes to somebody beside the goroutine.
func (p *pipe) endedElsewhere(fn *ssa.Function) bool {
	for in := range ssawalk.Instrs(fn) {
		if p.reader.used(in) && !ssawalk.Before(p.made, in) {
			return true
		}
		if v, ok := in.(ssa.Value); ok && in != ssa.Instruction(p.start) && v == p.start.Call.Value {
			if p.reader.used(in) {
				return true // the goroutine has the reading end too
			}
			continue
		}
		if in != ssa.Instruction(p.start) && (p.writers.pipe.used(in) || p.writers.on.used(in)) && !p.prepares(in) {
			return true
		}
	}
	return p.reader.used(p.start)
}

// prepares reports whether an instruction only puts a writer on the pipe before the goroutine starts, or asks one of these something.
func (p *pipe) prepares(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	s := ssawalk.Resolve(call)
	if s.Recv != nil && p.writers.on.vals[s.Recv] && !p.writers.given(s) {
		return s.Func != nil && saysNothing(s.Func.Name())
	}
	return ssawalk.Before(call, p.start) && slices.ContainsFunc(resultsOf(call), func(v ssa.Value) bool { return p.writers.on.vals[v] })
}

// write returns the call by which the goroutine surely writes to the pipe, or nil: the go statement itself where it starts a function out
// of sight.
func (p *pipe) write() ssa.CallInstruction {
	targets, _ := p.r.ctx.Targets(p.start.Common())
	if len(targets) == 1 && targets[0].Fn != nil && len(targets[0].Fn.Blocks) > 0 {
		return p.writers.into(targets[0]).writes(targets[0].Fn, 0)
	}
	if p.writers.writesBy(p.start, 0) {
		return p.start
	}
	return nil
}

// leftAt returns the first return that the maker comes to after the go statement without having done anything with the reading end, or
// waited for the goroutine; nil when there is none.
func (p *pipe) leftAt(fn *ssa.Function) ssa.Instruction {
	chans := p.r.flow.chansOf(p.start)
	ends := func(in ssa.Instruction) bool {
		return p.reader.used(in) || p.r.flow.joins(in, chans) || p.r.deaf.joinsAtEnd(in)
	}
	all := func(_, _ *ssa.BasicBlock) bool { return true }
	isStart := func(in ssa.Instruction) bool { return in == ssa.Instruction(p.start) }
	if len(reached(after(p.made), isStart, ends, all)) == 0 {
		return nil // the reading end was handed on before
	}
	var first ssa.Instruction
	again := func(in ssa.Instruction) bool { return in == ssa.Instruction(p.made) || ends(in) }
	for _, ret := range reached(after(p.start), isReturn, again, p.possible) {
		if first == nil || ret.Pos() < first.Pos() {
			first = ret
		}
	}
	return first
}

// leftPos is where a return stands, or the closing brace for one that the source does not spell.
func leftPos(ret ssa.Instruction) token.Pos {
	if body := ret.Parent().Syntax(); !ret.Pos().IsValid() && body != nil {
		return body.End() - 1
	}
	return ret.Pos()
}

// after returns the instruction behind one that does not end its block.
func after(in ssa.Instruction) ssa.Instruction { return in.Block().Instrs[indexIn(in.Block(), in)+1] }

// possible reports whether a branch may be taken once the goroutine has been started.
func (p *pipe) possible(from, to *ssa.BasicBlock) bool {
	return answersAlike(p.start.Block(), from, to)
}

// answersAlike reports whether a branch may be taken after a block: what was asked before that gets the same answer.
func answersAlike(at, from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return true
	}
	cond, taken := loops.Plain(branch.Cond, from.Succs[0] == to)
	for before, answer := range conditions(at) {
		if sameQuestion(before, cond) && !asksAnew(at, cond) {
			return answer == taken
		}
	}
	return true
}

// asksAnew reports whether a condition is about what is computed again after a block: the count of a loop, what a call answers.
func asksAnew(at *ssa.BasicBlock, v ssa.Value) bool {
	if bin, ok := v.(*ssa.BinOp); ok {
		return asksAnew(at, bin.X) || asksAnew(at, bin.Y)
	}
	in, ok := v.(ssa.Instruction)
	if _, load := v.(*ssa.UnOp); !ok || load {
		return false
	}
	return ssawalk.Reaches(at, in.Block())
}

// sameQuestion reports whether two conditions are one: the same value, or the same comparison of the same values.
func sameQuestion(x, y ssa.Value) bool {
	if sameValue(x, y) {
		return true
	}
	a, ok := x.(*ssa.BinOp)
	if !ok {
		return false
	}
	b, ok := y.(*ssa.BinOp)
	return ok && a.Op == b.Op && (sameOperand(a.X, b.X) || sameValue(a.X, b.X)) && (sameOperand(a.Y, b.Y) || sameValue(a.Y, b.Y))
}

// joinsAtEnd reports whether an instruction defers a wait: for a group, or in a literal.
func (d *deaf) joinsAtEnd(in ssa.Instruction) bool {
	late, ok := in.(*ssa.Defer)
	if !ok {
		return false
	}
	if fn, _ := ssawalk.Function(late.Call.Value); fn != nil && len(d.ops.Waits(fn)) > 0 {
		return true
	}
	return calleeName(late) == "Wait"
}
