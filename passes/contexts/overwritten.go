package contexts

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// overwritten returns the values of a captured variable that are surely replaced before an instruction reads it: in the variable's own
// function, or in a literal that is made there when the later store is done. ctx = context.WithoutCancel(ctx) before the literal that uses
// ctx leaves it nothing of the parameter.
func overwritten(a *ssa.Alloc, read ssa.Instruction) map[ssa.Value]bool {
	at := madeIn(a.Parent(), read)
	if at == nil || a.Referrers() == nil {
		return nil
	}
	var own []*ssa.Store
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == a && st.Parent() == a.Parent() {
			own = append(own, st)
		}
	}
	dead, live := make(map[ssa.Value]bool), make(map[ssa.Value]bool)
	for _, early := range own {
		if replaced(early, own, at) {
			dead[early.Val] = true
		} else {
			live[early.Val] = true
		}
	}
	for v := range live {
		delete(dead, v)
	}
	return dead
}

// replaced reports whether another store always comes between a store and an instruction.
func replaced(early *ssa.Store, all []*ssa.Store, at ssa.Instruction) bool {
	for _, late := range all {
		if late != early && ssawalk.Before(early, late) && ssawalk.Before(late, at) && !ssawalk.MayFollow(late, early) {
			return true
		}
	}
	return false
}

// madeIn returns the instruction of fn by which another one is reached: itself, or the one place where the literal around it is made.
func madeIn(fn *ssa.Function, in ssa.Instruction) ssa.Instruction {
	for lit := in.Parent(); lit != fn; lit = in.Parent() {
		if lit.Parent() == nil {
			return nil // not written in fn
		}
		made := ssawalk.Closures(lit)
		if len(made) != 1 {
			return nil
		}
		in = made[0]
	}
	return in
}
