package loops

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// exit is a branch out of a loop: what it asks, and the answer that leaves.
type exit struct {
	at    *ssa.BasicBlock
	cond  ssa.Value
	taken bool
}

// exits returns the branches that leave the loop.
func (l *Loop) exits() []exit {
	var out []exit
	for _, b := range l.Blocks() {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		for i, s := range b.Succs {
			if !l.Has(s) {
				cond, taken := Plain(in.Cond, i == 0)
				out = append(out, exit{b, cond, taken})
			}
		}
	}
	return out
}

// Plain returns a condition without the negations around it, and what its answer is then.
func Plain(cond ssa.Value, taken bool) (ssa.Value, bool) {
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return cond, taken
		}
		cond, taken = not.X, !taken
	}
}

// Counted reports whether some way out compares what each round counts.
func (l *Loop) Counted() bool {
	for _, e := range l.exits() {
		if bin, ok := e.cond.(*ssa.BinOp); ok && (l.counts(bin.X) || l.counts(bin.Y)) {
			return true
		}
	}
	return false
}

// Rounds returns how often the loop goes round at most, by a count from nought or one to a constant; 0 when that is not told.
func (l *Loop) Rounds() int64 {
	for _, e := range l.exits() {
		bin, ok := e.cond.(*ssa.BinOp)
		if !ok || !l.counts(bin.X) {
			continue
		}
		switch bin.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ, token.EQL:
			if c, ok := bin.Y.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() > 0 {
				return c.Int64() + 1
			}
		}
	}
	return 0
}

// counts reports whether a value grows or shrinks by a step each round.
func (l *Loop) counts(v ssa.Value) bool {
	if bin, ok := v.(*ssa.BinOp); ok && isStep(bin) {
		v = bin.X
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if bin, ok := e.(*ssa.BinOp); ok && isStep(bin) && bin.X == v {
				return true
			}
		}
	case *ssa.UnOp:
		return v.Op == token.MUL && l.steps(v.X)
	}
	return false
}

// steps reports whether the loop adds to the variable or field at an address.
func (l *Loop) steps(addr ssa.Value) bool {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || !sameAddr(st.Addr, addr) {
				continue
			}
			if bin, ok := st.Val.(*ssa.BinOp); ok && isStep(bin) {
				return true
			}
		}
	}
	return false
}

func sameAddr(a, b ssa.Value) bool {
	fa, ok := a.(*ssa.FieldAddr)
	if !ok {
		return a == b
	}
	fb, ok := b.(*ssa.FieldAddr)
	return ok && fa.Field == fb.Field && types.Identical(fa.X.Type(), fb.X.Type())
}

func isStep(bin *ssa.BinOp) bool {
	if bin.Op != token.ADD && bin.Op != token.SUB && bin.Op != token.MUL && bin.Op != token.SHL {
		return false
	}
	_, ok := bin.Y.(*ssa.Const)
	return ok
}

// Timed reports whether some way out asks the clock.
func (l *Loop) Timed() bool {
	for _, e := range l.exits() {
		if asksClock(e.cond, 0) {
			return true
		}
	}
	return false
}

// Clocks returns the conditions of the ways out that ask the clock.
func (l *Loop) Clocks() []ssa.Value {
	var out []ssa.Value
	for _, e := range l.exits() {
		if asksClock(e.cond, 0) {
			out = append(out, e.cond)
		}
	}
	return out
}

func asksClock(v ssa.Value, depth int) bool {
	if _, fixed := v.(*ssa.Const); fixed || depth > 5 {
		return false // how long a call is told to pause is not the clock
	}
	if typeset.IsTime(v.Type()) || typeset.IsDuration(v.Type()) {
		return true
	}
	in, ok := v.(ssa.Instruction)
	if !ok || typeset.IsContext(v.Type()) {
		return false // how long a context was made for is not what the loop asks
	}
	switch v.(type) {
	case *ssa.Phi, *ssa.Select:
		return false // how a pause ended is not how the loop does
	}
	var ops [8]*ssa.Value
	for _, op := range in.Operands(ops[:0]) {
		if *op != nil && asksClock(*op, depth+1) {
			return true
		}
	}
	return false
}

// LeavesOnSuccess reports whether an error that is nil is a way out: the loop repeats what fails.
func (l *Loop) LeavesOnSuccess() bool {
	for _, e := range l.exits() {
		if err, whenNil := NilTest(e.cond); err != nil && typeset.IsError(err.Type()) && whenNil == e.taken && l.defines(err) {
			return true
		}
	}
	return false
}

// defines reports whether a value comes about in the loop.
func (l *Loop) defines(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	return ok && l.Has(in.Block())
}

// Retries reports whether the loop goes on after an error: it repeats, or takes the next.
func (l *Loop) Retries() bool {
	if l.LeavesOnSuccess() {
		return true
	}
	for _, b := range l.Blocks() {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cond, _ := Plain(in.Cond, true)
		if err, _ := NilTest(cond); err != nil && typeset.IsError(err.Type()) && l.Has(b.Succs[0]) && l.Has(b.Succs[1]) {
			return true
		}
	}
	return l.Ring()
}

// Endless reports whether nothing leaves the loop but a panic.
func (l *Loop) Endless() bool {
	for _, b := range l.Blocks() {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return false
		}
		for _, s := range b.Succs {
			if !l.Has(s) && !channels.Panics(s) {
				return false
			}
		}
	}
	return !l.Ring()
}

// Goes reports whether the loop is one that repeats or polls, rather than one that does each of some things once: it goes on
// until something succeeds or turns out to be so, or for ever.
func (l *Loop) Goes() bool {
	switch {
	case l.Ring(), l.LeavesOnSuccess():
		return true
	case l.Collection():
		return false
	case !l.Counted():
		return true
	}
	return len(l.exits()) > 1
}
