package budgets

import (
	"go/token"
	"sort"

	"golang.org/x/tools/go/ssa"
)

// loop is a natural loop: the blocks from which its header is reached again without leaving it.
type loop struct {
	head  *ssa.BasicBlock
	body  map[*ssa.BasicBlock]bool
	count int64     // rounds, when that is a constant; else 0
	upTo  ssa.Value // what says how many rounds; nil when nobody can tell
	given bool      // it counts up to something: a constant, or a value from elsewhere
	over  bool      // it goes over the elements of a collection
}

// loopsOf returns the loops of fn, inner ones first.
func (p *program) loopsOf(fn *ssa.Function) []*loop {
	if ls, ok := p.loops[fn]; ok {
		return ls
	}
	byHead := map[*ssa.BasicBlock]*loop{}
	var out []*loop
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if !s.Dominates(b) {
				continue
			}
			l := byHead[s]
			if l == nil {
				l = &loop{head: s, body: map[*ssa.BasicBlock]bool{s: true}}
				byHead[s] = l
				out = append(out, l)
			}
			l.add(b)
		}
	}
	for _, l := range out {
		p.rounds(l)
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].body) < len(out[j].body) })
	p.loops[fn] = out
	return out
}

// add enters the blocks from which b, which jumps back, is reached.
func (l *loop) add(b *ssa.BasicBlock) {
	if l.body[b] {
		return
	}
	l.body[b] = true
	for _, pred := range b.Preds {
		l.add(pred)
	}
}

// blocks returns the body in the order of the function.
func (l *loop) blocks() []*ssa.BasicBlock {
	var out []*ssa.BasicBlock
	for _, b := range l.head.Parent().Blocks {
		if l.body[b] {
			out = append(out, b)
		}
	}
	return out
}

// rounds finds out how often a loop runs at most: for i := 0; i < n; i++, and range over a number or a collection.
func (p *program) rounds(l *loop) {
	for _, b := range l.blocks() {
		i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.body[b.Succs[0]] == l.body[b.Succs[1]] {
			continue
		}
		cond, ok := i.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		again := b.Succs[0]
		if !l.body[again] {
			again = b.Succs[1]
		}
		low, step, isCounter := l.counter(cond.X, again == l.head)
		if !isCounter || step != 1 {
			continue
		}
		if c, ok := cond.Y.(*ssa.Call); ok {
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
				l.over = true
				return
			}
		}
		l.given = true
		n, known := p.lengths.Of(cond.Y)
		if low == 0 && (cond.Op == token.LSS || cond.Op == token.NEQ) {
			l.upTo = cond.Y
		}
		if !known {
			return
		}
		switch cond.Op {
		case token.LSS, token.NEQ:
			l.count = max(int64(n)-low, 0)
		case token.LEQ:
			l.count = max(int64(n)-low+1, 0)
		}
		return
	}
	for _, b := range l.blocks() {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Next); ok {
				l.over = true // a map or a string
			}
		}
	}
}

// counter reports whether v is a number that begins at a constant and is counted up in the loop: where it begins and its step.
// A range over a slice counts before it compares; one over a number compares at the end of the round, for the next.
func (l *loop) counter(v ssa.Value, atEnd bool) (low, step int64, ok bool) {
	after := int64(0)
	if add, isAdd := v.(*ssa.BinOp); isAdd && add.Op == token.ADD { // range compares the number that is already counted up
		c, isConst := add.Y.(*ssa.Const)
		if !isConst {
			return 0, 0, false
		}
		if v = add.X; !atEnd {
			after = c.Int64()
		}
	}
	phi, isPhi := v.(*ssa.Phi)
	if !isPhi || phi.Block() != l.head {
		return 0, 0, false
	}
	for i, e := range phi.Edges {
		switch e := e.(type) {
		case *ssa.Const:
			if l.body[phi.Block().Preds[i]] || e.Value == nil {
				return 0, 0, false
			}
			low = e.Int64() + after
		case *ssa.BinOp:
			c, isConst := e.Y.(*ssa.Const)
			if e.Op != token.ADD || e.X != phi || !isConst {
				return 0, 0, false
			}
			step = c.Int64()
		default:
			return 0, 0, false
		}
	}
	return low, step, step != 0
}

// feeds reports whether an argument of the call comes from what the call returned in the round before.
func (l *loop) feeds(call *ssa.Call, arg ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	return l.comesFrom(call, arg, seen, false)
}

// comesFrom goes backwards from v to the results of the call; back says that the header was passed on the way.
func (l *loop) comesFrom(call *ssa.Call, v ssa.Value, seen map[ssa.Value]bool, back bool) bool {
	if v == nil || seen[v] || len(seen) > 60 {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Call:
		if v == call {
			return back
		}
		return back && l.inAny(call, v.Call.Args, seen)
	case *ssa.Phi:
		for i, e := range v.Edges {
			again := v.Block() == l.head && l.body[v.Block().Preds[i]]
			if l.comesFrom(call, e, seen, back || again) {
				return true
			}
		}
	case *ssa.Alloc:
		return l.storedFrom(call, v, seen)
	case *ssa.MakeInterface:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.Extract:
		return l.comesFrom(call, v.Tuple, seen, back)
	case *ssa.UnOp:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.FieldAddr:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.Field:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.IndexAddr:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.Convert:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.ChangeType:
		return l.comesFrom(call, v.X, seen, back)
	case *ssa.BinOp:
		return l.comesFrom(call, v.X, seen, back) || l.comesFrom(call, v.Y, seen, back)
	}
	return false
}

func (l *loop) inAny(call *ssa.Call, vals []ssa.Value, seen map[ssa.Value]bool) bool {
	for _, x := range vals {
		if l.comesFrom(call, x, seen, true) {
			return true
		}
	}
	return false
}

// storedFrom reports whether the loop stores a result of the call in the variable, or in a field of it: req.Token = resp.Next.
func (l *loop) storedFrom(call *ssa.Call, a *ssa.Alloc, seen map[ssa.Value]bool) bool {
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == a && l.body[ref.Block()] && l.comesFrom(call, ref.Val, seen, true) {
				return true
			}
		case *ssa.FieldAddr:
			for _, use := range *ref.Referrers() {
				st, ok := use.(*ssa.Store)
				if ok && st.Addr == ref && l.body[st.Block()] && l.comesFrom(call, st.Val, seen, true) {
					return true
				}
			}
		}
	}
	return false
}

// capped reports whether a branch in the loop leaves it when what each round counts comes to a constant: a limit on how many replies are
// followed.
func (l *loop) capped() bool {
	for b := range l.body {
		if len(b.Succs) != 2 || l.body[b.Succs[0]] && l.body[b.Succs[1]] {
			continue
		}
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := cond.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		if _, isConst := cmp.Y.(*ssa.Const); isConst && l.steps(cmp.X) {
			return true
		}
	}
	return false
}

// steps reports whether a value is one more each round.
func (l *loop) steps(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.head {
		return false
	}
	for _, e := range phi.Edges {
		if add, ok := e.(*ssa.BinOp); ok && add.Op == token.ADD && add.X == phi {
			return true
		}
	}
	return false
}
