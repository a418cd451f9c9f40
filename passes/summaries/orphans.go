package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// leftBy returns the goroutine in which a wait stands, and the statement that starts it, when that is between the wait and the
// carrier and nobody waits for the goroutine.
func (d *deaf) leftBy(w *channels.Wait, carrier contexts.Carrier) (*ssa.Function, ssa.Instruction) {
	for fn := w.Fn; fn.Parent() != nil && fn != carrier.Param.Parent(); fn = fn.Parent() {
		for _, s := range d.r.callers[fn] {
			if d.spawns(s) {
				if d.waitedFor(s, fn) {
					return nil, nil
				}
				return fn, s.in
			}
		}
	}
	return nil, nil
}

// waitedFor reports whether somebody surely waits for the goroutine fn, started at s: a group that it is a member of, a receive
// from what it sends to or closes, or the caller, to whom such a channel is handed out.
func (d *deaf) waitedFor(s site, fn *ssa.Function) bool {
	for _, c := range d.ops.Chans(fn) {
		if c.Lent && (d.does(fn, c, channels.Send) || d.does(fn, c, channels.Close)) {
			return true
		}
	}
	return d.waitedHere(s, fn)
}

// waitedHere reports whether the function that starts the goroutine fn at s surely waits for it, or the group that it is a member of.
func (d *deaf) waitedHere(s site, fn *ssa.Function) bool {
	if d.joinedByTable(s) {
		return true
	}
	home := ssawalk.Outermost(fn)
	for _, c := range d.ops.Chans(fn) {
		for _, op := range c.Ops {
			if op.Kind == channels.Done && op.Fn == fn && d.groupWaited(c, home) {
				return true
			}
		}
		if d.received(s, fn, c) {
			return true
		}
	}
	return false
}

// joinedByTable reports whether the tables know a call that waits for what is started: an errgroup's Wait.
func (d *deaf) joinedByTable(s site) bool {
	targets, _ := d.r.ctx.Targets(s.in.Common())
	for _, t := range targets {
		if row, ok := d.r.ctx.Row(t.Obj); ok && row.Verb == knowledge.Spawns && row.Joined != "" {
			return true
		}
	}
	return false
}

// groupWaited reports whether home, or a literal in it, waits for a group.
func (d *deaf) groupWaited(c *channels.Chan, home *ssa.Function) bool {
	for _, op := range c.Ops {
		if op.Kind == channels.Group && ssawalk.Outermost(op.Fn) == home {
			return true
		}
	}
	return false
}

func (d *deaf) does(fn *ssa.Function, c *channels.Chan, k channels.Kind) bool {
	for _, op := range c.Ops {
		if op.Kind == k && op.Fn == fn {
			return true
		}
	}
	return false
}

// received reports whether the function that starts fn surely receives what fn sends or closes.
func (d *deaf) received(s site, fn *ssa.Function, c *channels.Chan) bool {
	if !d.does(fn, c, channels.Send) && !d.does(fn, c, channels.Close) {
		return false
	}
	p := runner{fn: s.fn, from: s.in}
	yes, _ := d.certain(p, c, []channels.Kind{channels.Receive, channels.Range}, 0)
	return yes && !d.leavesLoop(p, c) && !d.hearsBeside(p, c)
}

// hearsBeside reports whether a runner lists the end of a context beside a channel: what it receives from that later, it waits for when its
// time is over.
func (d *deaf) hearsBeside(p runner, c *channels.Chan) bool {
	return slices.ContainsFunc(d.ops.Waits(p.fn), func(w *channels.Wait) bool {
		sel, ok := w.Instr.(*ssa.Select)
		return ok && hearsDone(sel) && slices.ContainsFunc(w.Cases, func(op *channels.Op) bool { return op.Chan == c && op.Kind == channels.Receive })
	})
}

// orphaned reports whether a wait keeps a goroutine that nobody waits for: nobody is seen to close what it waits on, and what
// it sends to is this function's own.
func (d *deaf) orphaned(w *channels.Wait, g *ssa.Function) bool {
	switch w.Kind {
	case channels.Sleep:
		l := channels.LoopOf(w.Instr.Block())
		return l != nil && !l.Ends() // else the sleep ends, and the goroutine with it
	case channels.Select:
		for _, op := range w.Cases {
			if op.Kind == channels.Receive && d.mayClose(op) {
				return false
			}
		}
		return true
	case channels.Send:
		c := w.On().Chan
		return c != nil && madeFor(c, ssawalk.Outermost(g)) && !d.hasServed(w) && !d.drainedAtEnd(c) && !d.isServed(w)
	case channels.Receive, channels.Range:
		return !d.mayClose(w.On())
	}
	return false // it ends when the members do, which are looked at by themselves
}

// madeFor reports whether a channel is made anew by each call of home: nothing keeps it, whoever else makes some that go the same way.
func madeFor(c *channels.Chan, home *ssa.Function) bool {
	return c.Local(home) || !c.Open && !c.Kept && slices.ContainsFunc(c.Makes, func(m *ssa.MakeChan) bool { return ssawalk.Outermost(m.Parent()) == home })
}

// drainedAtEnd reports whether a function that ends something, by its name, takes out all that is sent to a channel.
func (d *deaf) drainedAtEnd(c *channels.Chan) bool {
	for _, op := range c.Ops {
		takes := op.Kind == channels.Range || op.Kind == channels.Receive && channels.LoopOf(op.Instr.Block()) != nil
		if takes && d.r.flow.cleanupFunc(ssawalk.Outermost(op.Fn)) {
			return true
		}
	}
	return false
}

// mayClose reports whether a channel is closed in sight, or may be by those who are not.
func (d *deaf) mayClose(op *channels.Op) bool {
	c := op.Chan
	return c != nil && (c.Has(channels.Close) || c.Open && (op.Kind == channels.Range || endsOnly(op.On.Type())))
}

// hasServed reports whether a send comes after a call that is meant to last, such as a server's Serve: its goroutine is one for
// the life of a server, not one for each call, and when it sends the server has ended.
func (d *deaf) hasServed(w *channels.Wait) bool {
	for c := range ssawalk.Calls(w.Fn) {
		if !ssawalk.Before(c, w.Instr) {
			continue
		}
		targets, _ := d.r.ctx.Targets(c.Common())
		for _, t := range targets {
			if row, ok := d.r.ctx.Row(t.Obj); ok && row.Meant {
				return true // whether or not something is seen to end it
			}
		}
		for _, e := range d.r.effects(w.Fn, c) {
			if e.Meant {
				return true
			}
		}
	}
	return false
}
