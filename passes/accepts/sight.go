package accepts

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// A connection that goes out of sight may get a deadline there. What is read of it before is read without one all the same.

// lose notes that a connection, or what has it, goes out of sight at an instruction.
func (f *following) lose(at ssa.Instruction) { f.lost = append(f.lost, at) }

// loseWith notes that a struct of this function which has a connection goes out of sight where others get it: before that, nobody else
// can do anything with the connection. Functions of this package set none that stay.
func (f *following) loseWith(made *ssa.Alloc) {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			continue
		case ssa.CallInstruction:
			if t, _, known := f.p.row(ref.Common()); !known && t.Fn != nil {
				continue
			}
		}
		f.lose(ref)
	}
}

// first returns the first read that on some way to it certainly comes before the connection goes out of sight, or nil.
func (f *following) first() ssa.CallInstruction {
	var lost [][]ssa.Instruction
	for _, at := range f.lost {
		lost = append(lost, f.ways(at)...)
	}
	for _, read := range f.reads {
		for _, way := range f.ways(read) {
			if !f.bounded(way) && !slices.ContainsFunc(lost, func(l []ssa.Instruction) bool { return f.mayPrecede(l, way) }) {
				return read
			}
		}
	}
	return nil
}

// reader returns what a read calls.
func (f *following) reader(read ssa.CallInstruction) contexts.Target {
	t, _, _ := f.p.row(read.Common())
	return t
}

// mayPrecede reports whether a connection may have gone out of sight on its way there before it is read on its way here: it does unless
// both are below the same function, in which the read comes first.
func (f *following) mayPrecede(lost, read []ssa.Instruction) bool {
	for _, r := range read {
		for _, l := range lost {
			if l.Parent() != r.Parent() {
				continue
			}
			_, beside := r.(*ssa.Go)
			return beside || l == r || f.mayFollow(l, r)
		}
	}
	return true
}

// maxWays bounds the ways that are told apart.
const maxWays = 32

// ways returns, for each way by which the connection comes to an instruction, that and the calls on the way, the innermost first.
// Where there are too many the ways end at the function that has them.
func (f *following) ways(at ssa.Instruction) [][]ssa.Instruction {
	var out [][]ssa.Instruction
	var up func(way []ssa.Instruction)
	up = func(way []ssa.Instruction) {
		from := f.entries[way[len(way)-1].Parent()]
		if len(from) == 0 || len(out)+len(from) > maxWays || len(way) > maxWays {
			out = append(out, way)
			return
		}
		for _, by := range from {
			up(append(slices.Clone(way), by))
		}
	}
	up([]ssa.Instruction{at})
	return out
}

// mayFollow reports whether b may run after a for the same connection: without another being accepted in between.
func (f *following) mayFollow(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() && ssawalk.Before(a, b) {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{}
	var reaches func(x *ssa.BasicBlock) bool
	reaches = func(x *ssa.BasicBlock) bool {
		for _, s := range x.Succs {
			if s == f.accept.Block() || seen[s] {
				continue
			}
			seen[s] = true
			if s == b.Block() || reaches(s) {
				return true
			}
		}
		return false
	}
	return reaches(a.Block())
}

// enter notes that the connection comes into a function by a call, or into a literal where that is made.
func (f *following) enter(fn *ssa.Function, by ssa.Instruction) {
	f.in[fn] = true
	if !slices.Contains(f.entries[fn], by) {
		f.entries[fn] = append(f.entries[fn], by)
	}
}

// enterWith notes that the connection comes into a function in a field of what the function's callers give it.
func (f *following) enterWith(fn *ssa.Function, in ssa.Value) {
	for {
		switch v := in.(type) {
		case *ssa.FieldAddr:
			in = v.X
			continue
		case *ssa.UnOp:
			in = v.X
			continue
		case *ssa.Parameter:
			for _, call := range f.p.ir.Callers(fn) {
				f.enter(fn, call)
			}
		}
		return
	}
}
