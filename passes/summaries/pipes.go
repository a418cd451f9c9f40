package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/trace"
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
	name := resultName(p.made, 0, "its reader")
	left := p.leftAt(fn)
	if left == nil {
		left = p.leftBelow(fn)
	}
	if left == nil {
		left, name = p.leftByCaller(fn)
	}
	if left == nil {
		return // each way has something to do with the reading end, or waits for the goroutine
	}
	w := Wait{Name: "write to " + resultName(p.made, 1, "the pipe"), Src: p.start.Pos(), In: fn}
	if by := calleeName(write); write != ssa.CallInstruction(p.start) && by != "Write" && by != "" {
		w.Path = []trace.Hop{{Pos: write.Pos(), Name: by}}
	}
	v := p.r.verdict("orphan", "pipe", w, name, p.r.reach(fn))
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
	ends := p.endsOrJoins()
	if !p.free(ends) {
		return nil
	}
	again := func(in ssa.Instruction) bool { return in == ssa.Instruction(p.made) || ends(in) }
	return earliest(reached(after(p.start), isReturn, again, p.possible))
}

// endsOrJoins returns what asks whether an instruction does something with the reading end, or waits for the goroutine.
func (p *pipe) endsOrJoins() func(ssa.Instruction) bool {
	chans := p.r.flow.chansOf(p.start)
	return func(in ssa.Instruction) bool {
		return p.reader.used(in) || p.r.flow.joins(in, chans) || p.r.deaf.joinsAtEnd(in)
	}
}

// free reports whether some way leads to the go statement on which nobody has been handed the reading end.
func (p *pipe) free(ends func(ssa.Instruction) bool) bool {
	all := func(_, _ *ssa.BasicBlock) bool { return true }
	isStart := func(in ssa.Instruction) bool { return in == ssa.Instruction(p.start) }
	return len(reached(after(p.made), isStart, ends, all)) > 0
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

// possible reports whether a branch may be taken once the goroutine has been started: not past a loop that has to do with the reading end.
func (p *pipe) possible(from, to *ssa.BasicBlock) bool {
	return answersAlike(p.start.Block(), from, to) && !skipsLoop(from, to, p.reader.used)
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
