// Package ssawalk answers generic questions about go/ssa: who is called, with which receiver and arguments; where does a
// value come from when only names and conversions lie between; what does a function contain. It knows no rule and no table.
//
// Every answer about a callee is in terms of the generic origin, never of an instance: facts and tables are keyed by it.
package ssawalk

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Instrs yields every instruction of fn in block order; those of closures are not among them.
func Instrs(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// Calls yields every call, go and defer instruction of fn, calls of builtins left out.
func Calls(fn *ssa.Function) iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for i := range Instrs(fn) {
			call, ok := AsCall(i)
			if !ok {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			if !yield(call) {
				return
			}
		}
	}
}

// Returns yields the return instructions of fn that the program can reach; the block that runs after a recovered panic is
// left out.
func Returns(fn *ssa.Function) iter.Seq[*ssa.Return] {
	return func(yield func(*ssa.Return) bool) {
		for _, b := range fn.Blocks {
			if b == fn.Recover || len(b.Instrs) == 0 {
				continue
			}
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !yield(r) {
				return
			}
		}
	}
}

// Outermost returns the declared function in which fn, a closure at any depth, is written, or fn itself.
func Outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Before reports whether a is executed before b on every path that reaches b; both belong to the same function.
func Before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, i := range a.Block().Instrs {
		switch i {
		case a:
			return a != b
		case b:
			return false
		}
	}
	return false
}

// AsCall returns the call that an instruction is: what i.(ssa.CallInstruction) gives, without the search for an interface table
// that an assertion costs for most instructions, which are none.
func AsCall(i ssa.Instruction) (ssa.CallInstruction, bool) {
	switch i := i.(type) {
	case *ssa.Call:
		return i, true
	case *ssa.Defer:
		return i, true
	case *ssa.Go:
		return i, true
	}
	return nil, false
}
