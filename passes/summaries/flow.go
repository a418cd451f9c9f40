package summaries

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// flow answers what is true at a place in a function: is the context over there, is the place cleaning up, is the goroutine
// started there joined.
type flow struct {
	r        *Result
	over     map[*ssa.BasicBlock]bool
	cleanup  map[*ssa.Function]bool
	item     map[*ssa.Function]bool
	unjoined map[*ssa.Function]bool
}

func newFlow(r *Result) *flow {
	return &flow{r: r, over: make(map[*ssa.BasicBlock]bool), cleanup: make(map[*ssa.Function]bool), item: make(map[*ssa.Function]bool),
		unjoined: make(map[*ssa.Function]bool)}
}

// afterDone reports whether the instruction runs only once a context or a stop signal has ended: after a receive from Done,
// where Err is not nil, after a cancel; or in a function literal that is made there or given to context.AfterFunc.
func (f *flow) afterDone(in ssa.Instruction) bool { return f.after(in, endsContext) }

// after is the same with the instructions given after which a context counts as over.
func (f *flow) after(in ssa.Instruction, ends func(ssa.Instruction) bool) bool {
	b := in.Block()
	for i := indexIn(b, in) - 1; i >= 0; i-- {
		if ends(b.Instrs[i]) {
			return true
		}
	}
	for d := b; d != nil; d = d.Idom() {
		if d != b && slices.ContainsFunc(d.Instrs, ends) || f.branchOver(d) {
			return true
		}
	}
	return f.literalAfter(b.Parent(), ends)
}

// cancelled reports whether a call is given a context that its function has certainly cancelled before: by the cancel that
// was made beside it, not by any other.
func (f *flow) cancelled(c ssa.CallInstruction) bool {
	for _, a := range c.Common().Args {
		if cancel := f.cancelOf(a); cancel != nil && calledBefore(cancel, c) {
			return true
		}
	}
	return false
}

// cancelOf returns the cancel function that was made beside the context v, or nil.
func (f *flow) cancelOf(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok {
		v = f.r.ctx.OnlyStored(load)
	}
	ctx, ok := v.(*ssa.Extract)
	if !ok || ctx.Index != 0 || !typeset.IsContext(ctx.Type()) {
		return nil
	}
	for _, ref := range *ctx.Tuple.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 1 && isCancelFunc(x.Type()) {
			return x
		}
	}
	return nil
}

// calledBefore reports whether a function value is always called before an instruction of the same function.
func calledBefore(fn ssa.Value, in ssa.Instruction) bool {
	for _, ref := range *fn.Referrers() {
		call, ok := ref.(*ssa.Call)
		if ok && call.Call.Value == fn && call.Parent() == in.Parent() && ssawalk.Before(call, in) {
			return true
		}
	}
	return false
}

// perhapsOver reports whether some path to an instruction goes through a branch in which the context is over, such as the way
// out of a loop.
func (f *flow) perhapsOver(in ssa.Instruction) bool {
	b := in.Block()
	for _, x := range b.Parent().Blocks {
		if len(x.Preds) == 1 && overBranch(x.Preds[0], x) && x != b && ssawalk.Reaches(x, b) && !ssawalk.Reaches(b, x) {
			return true
		}
	}
	return false
}

// branchOver reports whether the branch into a block lets on only what is over.
func (f *flow) branchOver(b *ssa.BasicBlock) bool {
	if over, ok := f.over[b]; ok {
		return over
	}
	over := len(b.Preds) == 1 && overBranch(b.Preds[0], b)
	f.over[b] = over
	return over
}

// literalAfter reports whether fn is a literal that is made where the context is over.
func (f *flow) literalAfter(fn *ssa.Function, ends func(ssa.Instruction) bool) bool {
	if fn.Parent() == nil {
		return false
	}
	for _, mc := range closures(fn) {
		if givenTo(mc, "context.AfterFunc") {
			return true
		}
		if in, ok := mc.(ssa.Instruction); ok && f.after(in, ends) {
			return true
		}
	}
	return false
}

// givenTo reports whether a function value is an argument of a call of the function with that name.
func givenTo(v ssa.Value, name string) bool {
	for _, ref := range *v.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok && calledIs(c, name) {
			return true
		}
	}
	return false
}

func calledIs(c ssa.CallInstruction, name string) bool {
	fn, ok := c.Common().Value.(*ssa.Function)
	if !ok {
		return false // a method value that is called has no receiver among its arguments
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && typeset.IsNamed(obj, name)
}

// endsContext reports whether what follows an instruction runs after the end of a context: a receive from a channel that
// only says that something ended, or a call of a cancel function. What a range takes from such a channel is no end: its rounds
// run while there is more to come.
func endsContext(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	return receivesEnd(in) || ok && !c.Call.IsInvoke() && c.Call.StaticCallee() == nil && isCancelFunc(c.Call.Value.Type())
}

// receivesEnd reports whether an instruction receives from a channel that only says that something ended.
func receivesEnd(in ssa.Instruction) bool {
	u, ok := in.(*ssa.UnOp)
	return ok && u.Op == token.ARROW && endsOnly(u.X.Type()) && u.Block().Comment != "rangechan.loop"
}

func isCancelFunc(t types.Type) bool {
	return typeset.Is(t, "context", "CancelFunc") || typeset.Is(t, "context", "CancelCauseFunc")
}

// endsOnly reports whether a channel's values say only that something is to end: struct{} or os.Signal.
func endsOnly(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && (typeset.IsSignalChan(t) || typeset.Is(c.Elem(), "os", "Signal"))
}

// overBranch reports whether the branch from pred to b is taken only when a context is over: a select's case on Done, or
// Err being not nil.
func overBranch(pred, b *ssa.BasicBlock) bool {
	if len(pred.Instrs) == 0 || len(pred.Succs) != 2 {
		return false
	}
	in, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	taken := pred.Succs[0] == b
	if isEndError(in.Cond) {
		return taken
	}
	bin, ok := in.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	if x, ok := bin.X.(*ssa.Extract); ok {
		if sel, ok := x.Tuple.(*ssa.Select); ok && x.Index == 0 && bin.Op == token.EQL && taken {
			return selectsEnd(sel, bin.Y)
		}
	}
	return isErrCall(bin.X) && (bin.Op == token.NEQ && taken || bin.Op == token.EQL && !taken)
}

// isEndError reports whether a condition asks if an error is a context's: errors.Is(err, context.Canceled), or ==.
func isEndError(cond ssa.Value) bool {
	switch cond := cond.(type) {
	case *ssa.Call:
		return calledIs(cond, "errors.Is") && len(cond.Call.Args) == 2 && isEndVariable(cond.Call.Args[1])
	case *ssa.BinOp:
		return cond.Op == token.EQL && (isEndVariable(cond.X) || isEndVariable(cond.Y))
	}
	return false
}

// isEndVariable reports whether v is context.Canceled or context.DeadlineExceeded.
func isEndVariable(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "context" && (g.Name() == "Canceled" || g.Name() == "DeadlineExceeded")
}

// isErrCall reports whether v is ctx.Err() or context.Cause(ctx).
func isErrCall(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if c.Call.IsInvoke() {
		return c.Call.Method.Name() == "Err" && typeset.IsContext(c.Call.Value.Type())
	}
	return calledIs(c, "context.Cause")
}

func indexIn(b *ssa.BasicBlock, in ssa.Instruction) int {
	for i, x := range b.Instrs {
		if x == in {
			return i
		}
	}
	return len(b.Instrs)
}

// endings are the words that begin the name of what ends something.
var endings = []string{"close", "stop", "shutdown", "rollback", "release", "unlock", "drain", "reap", "resign", "cleanup",
	"teardown", "cancel", "abort", "destroy", "unlisten", "unsubscribe", "deregister", "unregister", "disconnect", "finalize", "dispose", "hangup", "bye"}

// EndsByName reports whether a function's name says that it ends something: its waits are a clean-up's.
func EndsByName(name string) bool { return ending(name) }

// ending reports whether a function's name says that it ends something, by its first or last word: closeIdle, SessionUnlock.
func ending(name string) bool {
	if strings.HasPrefix(name, "With") || strings.Contains(name, "AndRec") || strings.Contains(name, "Until") {
		return false // WithCancel makes, it does not end; CloseAndRecv waits for an answer, PollUntilContextCancel for something
	}
	low, last := strings.ToLower(name), strings.ToLower(lastWord(name))
	for _, w := range endings {
		if strings.HasPrefix(low, w) || last == w {
			return true
		}
	}
	return false
}

// lastWord returns the last word of a name in mixed capitals.
func lastWord(name string) string {
	i := strings.LastIndexFunc(name, unicode.IsUpper)
	return name[max(i, 0):]
}
