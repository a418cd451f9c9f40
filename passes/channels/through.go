package channels

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// goesThrough says that v, when it bears channels itself, is sent to or received from a channel: what is sent to it somewhere
// is received from it elsewhere.
func (f *finder) goesThrough(channel, v ssa.Value) {
	n := f.node(channel)
	if n == nil || !bears(v.Type()) {
		return // nil, for ever; of no interest
	}
	t := n.top()
	if t.through == nil {
		t.through = new(node)
	}
	join(t.through, f.node(v))
}

// received returns the channel of the i-th receive of a select.
func received(sel *ssa.Select, i int) ssa.Value {
	for _, s := range sel.States {
		if s.Dir != types.RecvOnly {
			continue
		}
		if i == 0 {
			return s.Chan
		}
		i--
	}
	return nil
}

// maxThrough is how deep channels of channels are followed: a type that sends itself has no end.
const maxThrough = 4

// throughOpen opens what goes through channels that others have, or of which nobody sees where they are made.
func (f *finder) throughOpen() {
	for _, n := range f.nodes {
		t := n.top()
		for range maxThrough {
			if t.through == nil {
				break
			}
			outer, inner := t.thing(), t.through.top()
			if outer.Open || outer.Taken || len(outer.Makes) == 0 {
				inner.thing().Open, inner.thing().Taken = true, true
			}
			t = inner
		}
	}
}
