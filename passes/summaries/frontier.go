package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/trace"
)

// dropped is a root made where nothing could be inherited, or a call there with a timeout of its own, and the calls with a
// carrier in reach that get to it: its frontiers. From one such call it is mended there, at the call. From several, none can be
// mended before the root's own function is given a context: that is one defect, at the root.
type dropped struct {
	root  bool // made here, rather than a call that carries no context
	far   bool // the wait itself is in another package
	in    *ssa.Function
	calls []Verdict // by the position of the call
	names map[token.Pos]string
}

// front notes v, the verdict on a call that gets to a root made in another function of this package, until gather.
func (c *court) front(w Wait, v Verdict) {
	root := c.roots[w.Src]
	if root == nil {
		root = &dropped{root: w.End == ByRoot, far: w.Foreign, in: w.In, names: make(map[token.Pos]string)}
		c.roots[w.Src] = root
	}
	root.calls = append(root.calls, v)
	if len(w.Via) > 0 {
		root.names[v.Pos] = w.Via[0]
	}
}

// gather enters the verdicts on calls that get to roots: of several calls that get to the same root one at the root, with the
// calls as its path.
func (c *court) gather() {
	for pos, root := range c.roots {
		slices.SortFunc(root.calls, func(a, b Verdict) int { return int(a.Pos - b.Pos) })
		if root.calls[0].Pos == root.calls[len(root.calls)-1].Pos {
			for _, v := range root.calls {
				c.add(v) // one frontier, whatever ways lead on from it
			}
			continue
		}
		best := root.calls[0]
		var path []trace.Hop
		for i, v := range root.calls {
			if i > 0 && c.before(v, best) {
				best = v
			}
			if i == 0 || v.Pos != root.calls[i-1].Pos {
				path = append(path, trace.Hop{Pos: v.Pos, Name: root.names[v.Pos]})
			}
		}
		switch {
		case !root.root && !root.far:
			best.Via = "" // it is the call itself
		case root.root && best.Kind == "call":
			best.Kind = "root"
		}
		best.Pos, best.In, best.Path = pos, root.in, path[:min(len(path), trace.Max)]
		c.add(best)
	}
}
