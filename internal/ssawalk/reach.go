package ssawalk

import "golang.org/x/tools/go/ssa"

// Reaches reports whether control can go from block a to block b by at least one edge: of a and a, whether a runs again.
func Reaches(a, b *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var visit func(x *ssa.BasicBlock) bool
	visit = func(x *ssa.BasicBlock) bool {
		for _, s := range x.Succs {
			if s == b {
				return true
			}
			if !seen[s] {
				seen[s] = true
				if visit(s) {
					return true
				}
			}
		}
		return false
	}
	return visit(a)
}

// MayFollow reports whether b may run after a, in the same function.
func MayFollow(a, b ssa.Instruction) bool {
	return a.Block() == b.Block() && Before(a, b) || Reaches(a.Block(), b.Block())
}
