package summaries

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/loops"
)

// answer is what a function of the package can say of an error that is not nil, when it asks nothing else of that: the first of the two is
// that it may say yes, the second that it may say no. Where it asks more, it may know that a context is over.
type answer struct{ yes, no bool }

// answerOf returns what a call says of an error that is given to it and is not nil; ok is false when the function is not in sight, gives
// something else than a bool, or asks more of the error than whether there is one.
func (w *way) answerOf(c *ssa.Call) (a answer, ok bool) {
	fn := c.Call.StaticCallee()
	if fn == nil || w.r.sums[fn] == nil || w.err == nil || !onlyBool(fn.Signature) {
		return answer{}, false
	}
	var told *ssa.Parameter
	for i, arg := range c.Call.Args {
		switch {
		case !w.is(arg):
			continue
		case told != nil || i >= len(fn.Params):
			return answer{}, false
		}
		told = fn.Params[i]
	}
	if told == nil || !onlyTested(told) {
		return answer{}, false
	}
	s := &saying{err: told, seen: make(map[[2]*ssa.BasicBlock]bool)}
	s.from(nil, fn.Blocks[0])
	return s.answer, true
}

// onlyBool reports whether a function answers yes or no, and nothing else.
func onlyBool(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// onlyTested reports whether a parameter is compared with nil, and else only printed.
func onlyTested(p *ssa.Parameter) bool {
	for _, ref := range *p.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if !testsNil(ref, p) {
				return false
			}
		case *ssa.Store:
			if ref.Val != ssa.Value(p) || !varargs(ref) {
				return false
			}
		case *ssa.ChangeInterface:
			if !onlyPrinted(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyPrinted reports whether a value only goes into the list of a variadic call.
func onlyPrinted(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); !ok || !varargs(st) {
			return false
		}
	}
	return true
}

// saying goes through a function as it runs when an error that it is given is not nil.
type saying struct {
	err    *ssa.Parameter
	answer answer
	seen   map[[2]*ssa.BasicBlock]bool
}

func (s *saying) from(pred, b *ssa.BasicBlock) {
	if s.seen[[2]*ssa.BasicBlock{pred, b}] {
		return
	}
	s.seen[[2]*ssa.BasicBlock{pred, b}] = true
	switch last := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.Return:
		s.says(last.Results[0], pred, b)
	case *ssa.If:
		if yes, known := s.holds(last.Cond); known {
			s.from(b, one(b, yes)[0])
			return
		}
		s.from(b, b.Succs[0])
		s.from(b, b.Succs[1])
	case *ssa.Jump:
		s.from(b, b.Succs[0])
	}
}

// holds reports whether a condition holds, where it only asks if there is an error.
func (s *saying) holds(cond ssa.Value) (yes, known bool) {
	cond, is := loops.Plain(cond, true)
	x, whenNil := loops.NilTest(cond)
	return whenNil != is, x == ssa.Value(s.err)
}

// says enters what is returned at the end of a block, to which the way came by another.
func (s *saying) says(v ssa.Value, pred, at *ssa.BasicBlock) {
	if phi, ok := v.(*ssa.Phi); ok && phi.Block() == at {
		for i, p := range at.Preds {
			if p == pred {
				v = phi.Edges[i]
			}
		}
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
		s.enter(constant.BoolVal(c.Value))
		return
	}
	if yes, known := s.holds(v); known {
		s.enter(yes)
		return
	}
	s.answer = answer{true, true} // by something else
}

func (s *saying) enter(yes bool) {
	s.answer.yes = s.answer.yes || yes
	s.answer.no = s.answer.no || !yes
}
