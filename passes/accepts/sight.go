package accepts

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// A connection that goes out of sight may get a deadline there. What is read of it before is read without one all the same.

// lose notes that a connection, or what has it, goes out of sight at an instruction.
func (f *following) lose(at ssa.Instruction) { f.lost = append(f.lost, at) }

// loseWith notes that a struct of this function which has a connection goes out of sight where others get it: before that, nobody else
// can do anything with the connection. Functions of this package set no deadlines.
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

// first returns the first read that certainly comes before the connection goes out of sight, or nil.
func (f *following) first() ssa.CallInstruction {
	for _, read := range f.reads {
		if !slices.ContainsFunc(f.lost, func(at ssa.Instruction) bool { return f.mayPrecede(at, read) }) {
			return read
		}
	}
	return nil
}

// mayPrecede reports whether a connection may have gone out of sight before it is read: it does unless both places are below the same
// function, in which the read comes first.
func (f *following) mayPrecede(lost, read ssa.Instruction) bool {
	for _, r := range f.chain(read) {
		for _, l := range f.chain(lost) {
			if l.Parent() != r.Parent() {
				continue
			}
			_, beside := r.(*ssa.Go)
			return beside || l == r || f.mayFollow(l, r)
		}
	}
	return true
}

// chain returns an instruction and the calls by which the connection has come to it, as far as there is only one way.
func (f *following) chain(at ssa.Instruction) []ssa.Instruction {
	var out []ssa.Instruction
	for range maxSteps {
		out = append(out, at)
		from := f.entries[at.Parent()]
		if len(from) != 1 {
			return out
		}
		at = from[0]
	}
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
