package channels

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Loop is a natural loop: its header and all blocks from which control comes back to the header.
type Loop struct {
	Header *ssa.BasicBlock
	Blocks map[*ssa.BasicBlock]bool
}

// LoopOf returns the innermost loop that b lies in, or nil.
func LoopOf(b *ssa.BasicBlock) *Loop {
	for h := b; h != nil; h = h.Idom() {
		if l := loopAt(h); l != nil && l.Blocks[b] {
			return l
		}
	}
	return nil
}

// Outer returns the innermost loop around l, or nil.
func (l *Loop) Outer() *Loop {
	for h := l.Header.Idom(); h != nil; h = h.Idom() {
		if o := loopAt(h); o != nil && o.Blocks[l.Header] {
			return o
		}
	}
	return nil
}

func loopAt(h *ssa.BasicBlock) *Loop {
	l := &Loop{Header: h, Blocks: map[*ssa.BasicBlock]bool{h: true}}
	var todo []*ssa.BasicBlock
	for _, p := range h.Preds {
		if h.Dominates(p) {
			todo = append(todo, p)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !l.Blocks[b] {
			l.Blocks[b] = true
			todo = append(todo, b.Preds...)
		}
	}
	return l
}

// Collection reports whether the loop goes over what is there or comes through a channel: it ends by itself.
func (l *Loop) Collection() bool {
	c := l.Header.Comment
	return strings.HasPrefix(c, "rangeindex") || strings.HasPrefix(c, "rangeiter") || strings.HasPrefix(c, "rangechan")
}

// Leaves reports whether control can leave the loop otherwise than by its header; panics do not count.
func (l *Loop) Leaves() bool {
	for b := range l.Blocks {
		if b != l.Header && l.exit(b) {
			return true
		}
	}
	return false
}

// Ends reports whether control can leave the loop at all.
func (l *Loop) Ends() bool { return l.Leaves() || l.exit(l.Header) }

func (l *Loop) exit(b *ssa.BasicBlock) bool {
	if last := len(b.Instrs) - 1; last >= 0 {
		if _, ok := b.Instrs[last].(*ssa.Return); ok {
			return true
		}
	}
	for _, s := range b.Succs {
		if !l.Blocks[s] && !Panics(s) {
			return true
		}
	}
	return false
}

// Panics reports whether a block ends in a panic.
func Panics(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}
