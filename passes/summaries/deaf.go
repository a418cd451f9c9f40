package summaries

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// deaf knows the waits for other goroutines that nothing is seen to end: channels, wait groups, condition variables, sleeps.
//
// A wait ends when it lists an end itself, or when those on the other side are all known and each surely comes: it waits only
// for what ends, and then sends, closes, receives or calls Done. That is a least fixpoint: at first no wait ends, and a ring
// of waiters proves nothing. An unknown other side may be late.
type deaf struct {
	r      *Result
	ops    *channels.Result
	all    []*channels.Wait // that do not end by themselves, in the order of the functions
	in     map[*ssa.Function][]*channels.Wait
	ended  map[*channels.Wait]bool
	told   map[*channels.Wait]bool      // reported where they stand: what waits for them is not the defect
	touch  map[*ssa.Function]bool       // functions in which, or below which, something may not end
	quick  map[ssa.CallInstruction]bool // see outsideEnds
	nodes  map[token.Pos]ast.Node       // see span
	shown  map[token.Pos]span           // where the verdicts are, by their position
	behind map[*channels.Wait]bool      // judged by the goroutines that make them, see judgeGone
}

func newDeaf(r *Result, ops *channels.Result) *deaf {
	d := &deaf{r: r, ops: ops, in: make(map[*ssa.Function][]*channels.Wait), ended: make(map[*channels.Wait]bool),
		told: make(map[*channels.Wait]bool), touch: make(map[*ssa.Function]bool), quick: make(map[ssa.CallInstruction]bool),
		shown: make(map[token.Pos]span), behind: make(map[*channels.Wait]bool)}
	for _, fn := range r.ir.Funcs {
		if r.ir.InTest(fn) {
			continue
		}
		for _, w := range ops.Waits(fn) {
			if !d.endsItself(w) {
				d.all = append(d.all, w)
				d.in[fn] = append(d.in[fn], w)
			}
		}
	}
	if len(d.all) > 0 {
		d.findTouched()
		d.solve()
	}
	return d
}

// findTouched finds the functions of which it must be asked whether they end.
func (d *deaf) findTouched() {
	var todo []*ssa.Function
	for _, fn := range d.r.ir.Funcs {
		late := len(d.in[fn]) > 0 || d.r.sums[fn] != nil && len(d.r.sums[fn].waits.byKey) > 0
		if late {
			todo = append(todo, fn)
		}
	}
	for len(todo) > 0 {
		fn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d.touch[fn] {
			continue
		}
		d.touch[fn] = true
		for _, s := range d.r.callers[fn] {
			todo = append(todo, s.fn)
		}
	}
}

// solve proves what it can, then takes those that would stay even if all the others ended: they are the defects, and what
// waits for them is none. Of a ring, which has no such wait, the first in the source is taken.
func (d *deaf) solve() {
	d.prove()
	for {
		var open, roots []*channels.Wait
		for _, w := range d.all {
			if !d.ended[w] && !d.told[w] && d.reportable(w) {
				open = append(open, w)
			}
		}
		if len(open) == 0 {
			return
		}
		for _, w := range open {
			d.told[w] = true
		}
		for _, w := range open {
			d.told[w] = false
			if !d.proved(w) {
				roots = append(roots, w)
			}
			d.told[w] = true
		}
		if len(roots) == 0 {
			roots = open[:1]
		}
		for _, w := range open {
			d.told[w] = false
		}
		for _, w := range roots {
			d.told[w] = true
		}
		d.prove()
	}
}

// prove goes through the waits until no more are seen to end.
func (d *deaf) prove() {
	for again := true; again; {
		again = false
		for _, w := range d.all {
			if !d.ended[w] && !d.told[w] && d.proved(w) {
				d.ended[w], again = true, true
			}
		}
	}
}

// proved reports whether a wait ends, given those that are known to end.
func (d *deaf) proved(w *channels.Wait) bool {
	switch w.Kind {
	case channels.Select:
		for _, op := range w.Cases {
			if op.Kind == channels.Send && d.taken(w, op) || op.Kind == channels.Receive && d.fed(w, op) && !d.listedBesideDone(w, op) {
				return true
			}
		}
		return d.fedByAll(w)
	case channels.Send:
		return d.ownSlot(w, channels.Receive) || d.givesBack(w) || d.passesOn(w) || d.slotsFree(w) || d.locks(w) || d.room(w) || d.exchanged(w) || d.taken(w, w.On())
	case channels.Receive:
		if d.over(w.Instr) {
			return true // the last word of somebody who has been told to end: on purpose, whoever waits for it in turn
		}
		return drains(w) || d.ownSlot(w, channels.Send) || d.locks(w) || d.closedBefore(w) || d.exchanged(w) || d.fed(w, w.On())
	case channels.Range:
		return d.closedBefore(w) || d.fed(w, w.On())
	case channels.Group:
		return d.membersEnd(w)
	case channels.Cond:
		return d.woken(w)
	}
	return false
}

// feed puts the waits that no carrier in reach could end into the summaries of their functions: they are their callers'.
func (d *deaf) feed() {
	changed := false
	for _, w := range d.all {
		if d.ended[w] || d.told[w] || len(d.reach(w)) > 0 {
			continue
		}
		sum := d.r.sums[w.Fn]
		if d.quiet(w) || iterates(w) || sum == nil || !sum.waits.add(d.asWait(w)) {
			continue
		}
		sum.version++
		changed = true
	}
	if changed {
		d.r.summarise()
	}
}

// iterates reports whether a wait goes over what a call out of sight gives item by item: most such channels are filled from
// memory, which only who has the call before its eyes can tell.
func iterates(w *channels.Wait) bool {
	if w.Kind != channels.Range {
		return false
	}
	_, ok := ssawalk.Source(w.On().On).(*ssa.Call)
	return ok && (w.On().Chan == nil || w.On().Chan.Open)
}

// asWait is a wait as the summary of its function has it.
func (d *deaf) asWait(w *channels.Wait) Wait {
	return Wait{Traits: Traits{Known: true, Deaf: true, Sort: d.sort(w), Flight: d.flight(w)}, End: ByNothing, Name: d.span(w).text, Src: d.at(w), In: w.Fn}
}

// outsideEnds reports whether what a call waits for out of the process ends, or is reported where it stands.
func (d *deaf) outsideEnds(fn *ssa.Function, c ssa.CallInstruction) bool {
	if yes, ok := d.quick[c]; ok {
		return yes
	}
	yes := true
	for _, e := range d.r.effects(fn, c) {
		yes = yes && (e.Async || d.effectEnds(e))
	}
	d.quick[c] = yes
	return yes
}

func (d *deaf) effectEnds(e effect) bool {
	switch {
	case e.Own || e.Unsure || e.Meant && e.End == ByParam || !e.Known || e.Lookup || e.Stopped:
		return true // bounded, perhaps bounded, perhaps no wait, ended by a stop
	case len(d.r.reach(e.fn)) > 0 && !e.Meant:
		return true // reported here by another rule
	case e.End != ByParam:
		return false
	}
	for _, o := range e.set {
		if bad(o) && !o.Bound.Own {
			return false
		}
	}
	return true
}
