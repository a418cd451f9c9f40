package budgets

import "golang.org/x/tools/go/ssa"

// amount is what a way through a function adds up to: its longest time, or the parts of it that are surely known.
type amount[T any] interface {
	plus(T) T      // one after the other
	or(T) T        // one of two branches
	times(int64) T // counted rounds
	again() T      // rounds that nobody counted
	zero() bool
}

// paths finds the longest path through a function in which loops are drawn together, inner ones first: what is left has no cycle.
type paths[T amount[T]] struct {
	fn      *ssa.Function
	weights map[*ssa.BasicBlock]T
	into    map[*ssa.BasicBlock]*ssa.BasicBlock   // the head of the loop that a block is drawn into
	members map[*ssa.BasicBlock][]*ssa.BasicBlock // the blocks drawn into a head, itself left out
}

// longest returns the longest path from the entry of fn, where each block takes its weight and a loop that of its longest round, as
// often as it runs. A round that leaves the loop in the middle counts whole: the sum is never too small.
func longest[T amount[T]](fn *ssa.Function, inner []*loop, weights map[*ssa.BasicBlock]T) T {
	p := &paths[T]{fn, weights, map[*ssa.BasicBlock]*ssa.BasicBlock{}, map[*ssa.BasicBlock][]*ssa.BasicBlock{}}
	for _, l := range inner {
		round := p.from(l.head, l.body, map[*ssa.BasicBlock]T{}, map[*ssa.BasicBlock]bool{})
		switch {
		case round.zero():
		case l.count > 0:
			round = round.times(l.count)
		default:
			round = round.again()
		}
		for b := range l.body {
			if b != l.head {
				delete(p.weights, b)
				if p.into[b] == nil {
					p.into[b] = l.head
					p.members[l.head] = append(append(p.members[l.head], b), p.members[b]...)
				}
			}
		}
		p.weights[l.head] = round
	}
	return p.from(fn.Blocks[0], nil, map[*ssa.BasicBlock]T{}, map[*ssa.BasicBlock]bool{})
}

// find returns the block that stands for b.
func (p *paths[T]) find(b *ssa.BasicBlock) *ssa.BasicBlock {
	for p.into[b] != nil {
		b = p.into[b]
	}
	return b
}

// from returns the longest path from a block, within a set of blocks unless that is nil.
func (p *paths[T]) from(b *ssa.BasicBlock, within map[*ssa.BasicBlock]bool, done map[*ssa.BasicBlock]T, on map[*ssa.BasicBlock]bool) T {
	b = p.find(b)
	var rest T
	if s, ok := done[b]; ok {
		return s
	}
	if on[b] {
		return rest // back to the head; or a cycle with two entries, which Go has with goto only
	}
	on[b] = true
	for _, s := range p.succs(b) {
		if within == nil || within[s] {
			rest = rest.or(p.from(s, within, done, on))
		}
	}
	on[b] = false
	done[b] = p.weights[b].plus(rest)
	return done[b]
}

// succs returns where control goes from a block, or from the loop that was drawn into it.
func (p *paths[T]) succs(b *ssa.BasicBlock) []*ssa.BasicBlock {
	var out []*ssa.BasicBlock
	for _, x := range append([]*ssa.BasicBlock{b}, p.members[b]...) {
		for _, s := range x.Succs {
			if p.find(s) != b {
				out = append(out, s)
			}
		}
	}
	return out
}
