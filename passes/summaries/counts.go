package summaries

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// inRow returns how many sends on one way of their function o is the last of.
func inRow(o *channels.Op, c *channels.Chan) int64 {
	n := int64(1)
	for _, p := range c.Ops {
		if p != o && p.Kind == channels.Send && p.Fn == o.Fn && ssawalk.MayFollow(p.Instr, o.Instr) {
			n++
		}
	}
	return n
}

// needs returns how many sends there are at most to one channel of a class: what the functions that make one run from there on,
// and those that get it in another way, each as often as it is called.
func (d *deaf) needs(c *channels.Chan) (sum int64) {
	k := &counter{d: d, most: make(map[*ssa.Function]int64), leads: make(map[*ssa.Function]bool), met: make(map[*ssa.Function]bool)}
	for _, o := range c.Ops {
		if o.Kind == channels.Send {
			k.most[o.Fn] = max(k.most[o.Fn], inRow(o, c))
			k.lead(o.Fn, 0)
		}
	}
	for _, m := range c.Makes {
		sum = max(sum, k.below(m.Parent(), 0))
	}
	for fn, n := range k.most {
		if !k.met[fn] {
			sum += n * int64(max(1, len(d.r.callers[fn])))
		}
	}
	return sum
}

// counter counts the sends that a function makes, in it and below.
type counter struct {
	d     *deaf
	most  map[*ssa.Function]int64 // the most on one way of the function
	leads map[*ssa.Function]bool  // functions below which something is sent
	met   map[*ssa.Function]bool
}

func (k *counter) lead(fn *ssa.Function, depth int) {
	if k.leads[fn] || depth > maxClimb {
		return
	}
	k.leads[fn] = true
	for _, s := range k.d.r.callers[fn] {
		k.lead(s.fn, depth+1)
	}
}

// below counts each call as what it runs that sends most.
func (k *counter) below(fn *ssa.Function, depth int) int64 {
	if !k.leads[fn] || depth > maxClimb {
		return 0
	}
	k.met[fn] = true
	sum := k.most[fn]
	for c := range ssawalk.Calls(fn) {
		most := int64(0)
		targets, _ := k.d.r.ctx.Targets(c.Common())
		if len(targets) == 0 {
			targets, _ = k.d.ops.Passed(c)
		}
		for _, t := range append(targets, k.d.r.funcArgs(c.Common())...) {
			if t.Fn != nil && t.Fn != fn {
				most = max(most, k.below(t.Fn, depth+1))
			}
		}
		sum += most
	}
	return sum
}

// tokens reports whether all channels of a class are filled where they are made, and only tokens go through them: whoever sends
// one later gives back what was taken out.
func (d *deaf) tokens(c *channels.Chan) bool {
	for _, o := range c.Ops {
		if o.Kind == channels.Send && !turn(o) {
			return false
		}
	}
	for _, m := range c.Makes {
		if !d.filled(m, c) {
			return false
		}
	}
	return true
}

// turn reports whether a send sends nothing but its turn.
func turn(o *channels.Op) bool {
	if e := channels.Element(o.On); e != nil && empty(e) {
		return true
	}
	send, ok := o.Instr.(*ssa.Send)
	if !ok {
		return false
	}
	_, ok = send.X.(*ssa.Const)
	return ok
}

// filled reports whether the function that makes a channel sends to it as often as it has room.
func (d *deaf) filled(m *ssa.MakeChan, c *channels.Chan) bool {
	n := int64(0)
	for _, o := range c.Ops {
		if o.Kind != channels.Send || o.Fn != m.Parent() || !ssawalk.MayFollow(m, o.Instr) {
			continue
		}
		if l := channels.LoopOf(o.Instr.Block()); l != nil && !l.Blocks[m.Block()] {
			if sameSize(bound(l), m.Size) {
				return true
			}
			continue
		}
		n++
	}
	size, ok := m.Size.(*ssa.Const)
	return ok && n > 0 && n == size.Int64()
}

// bag reports whether a channel with room for several is emptied only when its own function has closed it: whoever made it has
// counted what may be in it, since one too many would stop every call, and not only those whose context ends.
func (d *deaf) bag(c *channels.Chan) bool {
	if r := c.Room(); r == 1 || len(c.Makes) != 1 || !c.Local(ssawalk.Outermost(c.Makes[0].Parent())) {
		return false
	}
	emptied := false
	for _, o := range c.Ops {
		if o.Kind != channels.Receive && o.Kind != channels.Range {
			continue
		}
		emptied = true
		if o.Fn != c.Makes[0].Parent() || !closedFirst(o, c) {
			return false
		}
	}
	return emptied
}

// closedFirst reports whether the function of an op has closed the channel before it, or the one around it before it makes the literal in
// which the op stands.
func closedFirst(o *channels.Op, c *channels.Chan) bool {
	fn, at := o.Fn, o.Instr
	for {
		for _, p := range c.Ops {
			if p.Kind == channels.Close && p.Fn == fn && !p.Deferred() && ssawalk.Before(p.Instr, at) {
				return true
			}
		}
		if fn.Parent() == nil {
			return false
		}
		made := closures(fn)
		if len(made) != 1 {
			return false
		}
		mc, ok := made[0].(*ssa.MakeClosure)
		if !ok {
			return false // it captures nothing
		}
		fn, at = fn.Parent(), mc
	}
}

// finite reports whether the loops of its function in which an instruction stands all go over what is there.
func finite(in ssa.Instruction) bool {
	for l := channels.LoopOf(in.Block()); l != nil; l = l.Outer() {
		if !l.Collection() || strings.HasPrefix(l.Header.Comment, "rangechan") {
			return false
		}
	}
	return true
}
