package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// runner is a function that surely runs beside a wait: a goroutine that was started, or what goes on after the goroutine that
// waits was started.
type runner struct {
	fn   *ssa.Function
	from ssa.Instruction // from where on it runs beside the wait, nil for all of it

	over []*channels.Chan // what is closed by then: a range over one ends

	until []ssa.Instruction // what of it is waited for, nil for its end
	does  []channels.Kind   // what that does to the channel
}

// asked reports whether an instruction of the runner runs before what is waited for.
func (p runner) asked(in ssa.Instruction) bool {
	if p.from != nil && !ssawalk.MayFollow(p.from, in) {
		return false
	}
	for _, u := range p.until {
		if _, atEnd := u.(*ssa.Defer); atEnd || in == u || ssawalk.MayFollow(in, u) {
			return true
		}
	}
	return len(p.until) == 0
}

// fed reports whether a receive or range ends: whoever surely closes the channel comes, or all who are known to send do.
func (d *deaf) fed(w *channels.Wait, op *channels.Op) bool {
	if op.Chan == nil {
		return false // nil, for ever
	}
	for _, p := range d.runners(w, op.Chan, channels.Close) {
		if d.comes(p, op.Chan, channels.Close) && !d.untold(w, p) {
			return true
		}
	}
	if d.closedUnderContext(w, op.Chan) {
		return true
	}
	if w.Kind == channels.Range {
		return false
	}
	senders := d.runners(w, op.Chan, channels.Send)
	for _, p := range senders {
		if !d.comes(p, op.Chan, channels.Send, channels.Close) || d.untold(w, p) {
			return false
		}
	}
	return len(senders) > 0
}

// fedByAll reports whether a select that only receives ends: whoever may send to one of its channels surely sends to one of them,
// such as the result to one and the error to another.
func (d *deaf) fedByAll(w *channels.Wait) bool {
	all := new(channels.Chan)
	for _, op := range w.Cases {
		if op.Kind != channels.Receive || op.Chan == nil {
			return false
		}
		all.Ops = append(all.Ops, op.Chan.Ops...)
		all.Makes = append(all.Makes, op.Chan.Makes...)
		all.Open = all.Open || op.Chan.Open
	}
	senders := d.runners(w, all, channels.Send, channels.Close)
	for _, p := range senders {
		if !d.comes(p, all, channels.Send, channels.Close) {
			return false
		}
	}
	return len(senders) > 0 && !all.Open
}

// maxClimb is through how many callers the goroutine is looked for in which a function runs.
const maxClimb = 3

// outer returns fn if g is fn or encloses it, else nil.
func outer(fn, g *ssa.Function) *ssa.Function {
	for f := fn; f != nil; f = f.Parent() {
		if f == g {
			return g
		}
	}
	return nil
}

// spawns reports whether a call starts the function in a goroutine.
func (d *deaf) spawns(s site) bool {
	if _, ok := s.in.(*ssa.Go); ok {
		return true
	}
	targets, _ := d.r.ctx.Targets(s.in.Common())
	for _, t := range targets {
		if row, ok := d.r.ctx.Row(t.Obj); ok && row.Verb == knowledge.Spawns {
			return true
		}
	}
	return false
}

// runners returns the functions that do a thing of these kinds to the channel beside the wait.
func (d *deaf) runners(w *channels.Wait, c *channels.Chan, ks ...channels.Kind) []runner {
	seen := make(map[*ssa.Function]bool)
	var out []runner
	for _, op := range c.Ops {
		if slices.Contains(ks, op.Kind) {
			out = append(out, d.climb(w, c, op.Fn, seen, 0)...)
		}
	}
	return out
}

// climb goes from a function that does something to the channel up to where it is started.
func (d *deaf) climb(w *channels.Wait, c *channels.Chan, fn *ssa.Function, seen map[*ssa.Function]bool, depth int) []runner {
	if seen[fn] || depth > maxClimb || fn == w.Fn {
		return nil // the goroutine that waits helps nobody while it waits
	}
	seen[fn] = true
	if d.givenWithContext(fn) {
		return []runner{{fn: fn}}
	}
	if outer(w.Fn, fn) != nil {
		if from := d.startOf(w.Fn, fn); from != nil {
			return []runner{{fn: fn, from: from}}
		}
		return nil
	}
	if madeBy(fn, c) { // whoever is handed what another makes may read it to its end or leave
		if start := d.startsCaller(w.Fn, fn, started{}, 0); start.from != nil {
			return []runner{{fn: fn, from: start.from}}
		}
	}
	var out []runner
	for _, s := range d.r.callers[fn] {
		switch {
		case !d.spawns(s) && !d.startsGiven(s, fn):
			out = append(out, d.climb(w, c, s.fn, seen, depth+1)...)
		case d.beside(w, c, s.fn, 0), madeBy(fn, c), d.afterOrder(w) && d.hearsOrder(fn):
			out = append(out, runner{fn: fn})
		}
	}
	return out
}

// givenWithContext reports whether a function is given to another one together with a context: whoever gets both is taken to
// call it, at the latest when the context is over.
func (d *deaf) givenWithContext(fn *ssa.Function) bool {
	for _, s := range d.r.callers[fn] {
		given, ctx := false, false
		for _, a := range s.in.Common().Args {
			for _, t := range d.r.ctx.Funcs(a) {
				given = given || t.Fn == fn
			}
			ctx = ctx || d.r.ctx.Carries(a.Type())
		}
		if given && ctx {
			return true
		}
	}
	return false
}

// startOf returns the instruction in g, which encloses fn, that starts the goroutine in which fn runs, or nil when it is
// called.
func (d *deaf) startOf(fn, g *ssa.Function) ssa.Instruction {
	for f := fn; f != g; f = f.Parent() {
		for _, s := range d.r.callers[f] {
			if s.fn == g && d.spawns(s) {
				return s.in
			}
		}
	}
	return nil
}

// madeBy reports whether a function makes all channels of a class itself: while anybody else has one, it has run.
func madeBy(fn *ssa.Function, c *channels.Chan) bool {
	for _, m := range c.Makes {
		if m.Parent() != fn {
			return false
		}
	}
	return len(c.Makes) > 0 && !c.Open
}

// beside reports whether a goroutine that g starts surely runs while w waits: g is the function of the wait, or makes the
// channel, or is called by one that does.
func (d *deaf) beside(w *channels.Wait, c *channels.Chan, g *ssa.Function, depth int) bool {
	home := ssawalk.Outermost(g)
	if home == ssawalk.Outermost(w.Fn) {
		return true
	}
	for _, m := range c.Makes {
		if home == ssawalk.Outermost(m.Parent()) {
			return true
		}
	}
	if depth > maxClimb {
		return false
	}
	for _, s := range d.r.callers[home] {
		if s.fn != g && d.beside(w, c, s.fn, depth+1) {
			return true
		}
	}
	return false
}

// comes reports whether a runner ends and on each way to its end does a thing of these kinds to the channel.
func (d *deaf) comes(p runner, c *channels.Chan, ks ...channels.Kind) bool {
	yes, by := d.certain(p, c, ks, 0)
	p.until, p.does = by, ks
	return yes && d.ends(p, c)
}
