package channels

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
)

// finder finds what is done with channels, and to which class each belongs.
type finder struct {
	ir    *ir.Result
	ctx   *contexts.Result
	pkg   *types.Package
	r     *Result
	found []*Op
	nodes map[any]*node
	calls map[*ssa.Function]int // of each function of the package, how many calls in sight call it, or pass it to who does
}

// ops finds everything that is done with channels, wait groups and condition variables, and the sleeps.
func (f *finder) ops() {
	for _, fn := range f.ir.Funcs {
		for in := range ssawalk.Instrs(fn) {
			f.op(fn, in)
		}
	}
}

func (f *finder) op(fn *ssa.Function, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Send:
		f.wait(Send, in, f.add(Send, in, in.Chan))
	case *ssa.UnOp:
		if in.Op != token.ARROW {
			return
		}
		k := Receive
		if in.CommaOk && in.Block().Comment == "rangechan.loop" {
			k = Range
		}
		f.wait(k, in, f.add(k, in, in.X))
	case *ssa.Select:
		f.selects(in)
	case *ssa.MakeClosure:
		f.bound(in)
	case ssa.CallInstruction:
		f.call(fn, in)
	}
}

func (f *finder) add(k Kind, in ssa.Instruction, on ssa.Value) *Op {
	o := &Op{Kind: k, Instr: in, Fn: in.Parent(), On: on}
	f.found = append(f.found, o)
	return o
}

func (f *finder) wait(k Kind, in ssa.Instruction, cases ...*Op) {
	fn := in.Parent()
	f.r.waits[fn] = append(f.r.waits[fn], &Wait{Kind: k, Instr: in, Fn: fn, Cases: cases})
}

func (f *finder) selects(in *ssa.Select) {
	var cases []*Op
	for _, s := range in.States {
		k := Receive
		if s.Dir == types.SendOnly {
			k = Send
		}
		cases = append(cases, f.add(k, in, s.Chan))
	}
	if in.Blocking {
		f.wait(Select, in, cases...)
	}
}

// byName is what the functions of the standard library do that are not instructions.
var byName = map[string]Kind{
	"(*sync.WaitGroup).Done": Done, "(*sync.WaitGroup).Go": Done, "(*sync.WaitGroup).Wait": Group,
	"(*sync.Cond).Signal": Wake, "(*sync.Cond).Broadcast": Wake, "(*sync.Cond).Wait": Cond,
	"time.Sleep": Sleep,
}

// bound finds a method value, such as wg.Done: whoever is given it does what it does.
func (f *finder) bound(in *ssa.MakeClosure) {
	obj, ok := in.Fn.(*ssa.Function).Object().(*types.Func)
	if !ok || len(in.Bindings) != 1 {
		return
	}
	if k, ok := byName[typeset.FullName(obj)]; ok && (k == Done || k == Wake) {
		f.add(k, in, in.Bindings[0])
	}
}

func (f *finder) call(fn *ssa.Function, c ssa.CallInstruction) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" && len(common.Args) == 1 {
			f.add(Close, c, common.Args[0])
		}
		return
	}
	callee := common.StaticCallee()
	if callee == nil {
		return
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok || obj.Pkg() == nil || obj.Pkg().Path() != "sync" && obj.Pkg().Path() != "time" {
		return
	}
	k, ok := byName[typeset.FullName(obj)]
	on := ssawalk.Resolve(c).Recv // also of a method value that is called: wait := wg.Wait; wait()
	switch {
	case !ok:
	case k == Sleep:
		f.wait(k, c)
	case on == nil:
	case k == Group || k == Cond:
		f.wait(k, c, f.add(k, c, on))
	default:
		f.add(k, c, on)
	}
}
