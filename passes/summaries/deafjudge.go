package summaries

import (
	"go/token"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// judge gives the verdict on the waits that nothing is seen to end and that a carrier in reach could end: in the goroutine that
// has the carrier, or in one that it waits for, at the wait; in one that is left alone, at the go statement.
func (d *deaf) judge(c *court) {
	for _, w := range d.all {
		if !d.told[w] {
			continue // it ends, or waits for one that is told, or is its callers'
		}
		reach := d.reach(w)
		v := d.verdict(w, reach)
		if g, left := d.leftBy(w, reach[0]); left != nil {
			if !d.orphaned(w, g) {
				continue
			}
			v.Rule, v.Pos = "orphan", left.Pos()
			if v.Kind != "example" {
				v.Kind = orphanKind(d.sort(w))
			}
			d.shown[v.Pos] = span{pos: v.Pos, end: v.Pos + token.Pos(len("go"))}
		} else {
			s := d.span(w)
			d.shown[v.Pos] = s
		}
		c.add(v)
	}
}

// judgeCall judges a call of a function that waits for another goroutine below, at the last call where a carrier is in reach.
func (d *deaf) judgeCall(c *court, e effect, reach []contexts.Carrier) {
	if d.r.entries.TestCode(e.fn) || e.In == e.fn && !d.waitsAbroad(e) {
		return // told where it stands, or only some of those that may be called wait
	}
	if _, isGo := e.call.(*ssa.Go); isGo || e.Async {
		d.judgeStart(c, e, reach)
		return
	}
	if d.r.quiet(e, nil) && !d.inTime(e.call) || e.Cleanup || d.r.flow.perhapsOver(e.call) || d.slotBelow(e) {
		return // a slot that is given back, part of ending something that has no time of its own, or nothing is left to inherit
	}
	kind := "call"
	switch {
	case e.Sort != "":
		kind = string(e.Sort)
	case e.In == e.fn && len(e.Bodies) == 0:
		kind = "abroad"
	}
	v := d.r.verdict("deafwait", kind, e.Wait, e.Name, reach)
	v.Pos, v.In, v.Subject = e.call.Common().Pos(), e.fn, e.Name
	if e.In == e.fn {
		c.add(v) // it is this call, however many others there are
		return
	}
	c.front(e.Wait, v)
}

// judgeStart judges a go statement that starts a function which waits for another goroutine. What is sent to a channel that the starting
// function made for it is judged as in a literal: whoever has the other end may leave.
func (d *deaf) judgeStart(c *court, e effect, reach []contexts.Carrier) {
	start, isGo := e.call.(*ssa.Go)
	w := d.waitAt(e.In, e.Src)
	if !isGo || w == nil || d.r.quiet(e, nil) || d.hasStop(start) {
		return // below in a goroutine, or in another package; a clean-up; a component's own
	}
	rule, kind := "orphan", orphanKind(e.Sort)
	switch given := w.Kind == channels.Send && d.orphaned(w, e.fn); {
	case !d.joinsStarted(e.fn, start):
		if !given && !d.orphaned(w, e.In) {
			return // ends by a close, or is not this call's
		}
	case given:
		if rule, kind = "deafwait", verdictKinds[w.Kind]; e.Sort != "" {
			kind = string(e.Sort)
		}
	default:
		return // who waits for it waits by a wait of its own
	}
	v := d.r.verdict(rule, kind, e.Wait, e.Name, reach)
	v.Pos, v.In, v.Subject = start.Pos(), e.fn, e.Name
	d.shown[v.Pos] = span{pos: v.Pos, end: v.Pos + token.Pos(len("go"))}
	c.add(v)
}

// hasStop reports whether what a go statement starts goes round until it is told to stop, by whatever channel: it lives as long as its
// component, and what one round waits for is the component's.
func (d *deaf) hasStop(start *ssa.Go) bool {
	targets, _ := d.r.ctx.Targets(start.Common())
	for _, t := range targets {
		if t.Fn == nil {
			continue
		}
		for _, w := range d.ops.Waits(t.Fn) {
			if channels.LoopOf(w.Instr.Block()) == nil {
				continue
			}
			for _, op := range w.Cases {
				if op.Kind == channels.Receive && endsOnly(op.On.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// joinsStarted reports whether somebody waits for what a go statement starts.
func (d *deaf) joinsStarted(fn *ssa.Function, start *ssa.Go) bool {
	targets, _ := d.r.ctx.Targets(start.Common())
	for _, t := range targets {
		if t.Fn == nil || d.waitedFor(site{fn, start}, t.Fn) {
			return true
		}
	}
	return false
}

// waitAt returns the wait of fn at a position, or nil.
func (d *deaf) waitAt(fn *ssa.Function, pos token.Pos) *channels.Wait {
	for _, w := range d.in[fn] {
		if d.at(w) == pos {
			return w
		}
	}
	return nil
}

func (d *deaf) verdict(w *channels.Wait, reach []contexts.Carrier) Verdict {
	wait := d.asWait(w)
	kind := verdictKinds[w.Kind]
	if wait.Sort != "" {
		kind = string(wait.Sort)
	}
	v := d.r.verdict("deafwait", kind, wait, wait.Name, reach)
	v.For = d.pause(w)
	return v
}

// verdictKinds names the kinds of deafwait.
var verdictKinds = map[channels.Kind]string{channels.Send: "send", channels.Receive: "receive", channels.Range: "receive",
	channels.Select: "select", channels.Group: "group", channels.Sleep: "sleep", channels.Cond: "asked"}

// pause returns how long a sleep lasts, 0 when not known.
func (d *deaf) pause(w *channels.Wait) time.Duration {
	if w.Kind != channels.Sleep {
		return 0
	}
	n, _ := d.r.lengths.Of(w.Instr.(ssa.CallInstruction).Common().Args[0])
	return n
}

// reportable reports whether a wait that nothing ends is a defect where it stands.
func (d *deaf) reportable(w *channels.Wait) bool {
	return len(d.reach(w)) > 0 && !d.quiet(w) && !d.r.entries.TestCode(w.Fn)
}

// reach returns the carriers that could end a wait: those in reach of its function, and a context kept in a field whose end
// the function looks at itself. What encloses a literal that others run later has nothing for it.
func (d *deaf) reach(w *channels.Wait) []contexts.Carrier {
	reach := d.r.reach(w.Fn)
	for fn := w.Fn; fn != nil && len(reach) == 0; fn = fn.Parent() {
		for c := range ssawalk.Calls(fn) {
			if found := d.consulted(c); found != nil {
				reach = []contexts.Carrier{*found}
				break
			}
		}
	}
	if len(reach) == 0 || reach[0].Param != nil && typeset.IsRequest(reach[0].Param.Type()) && takenOver(w.Instr, upgrades) {
		return nil // nothing ends the context of a request whose connection was taken over but the handler's own return
	}
	for fn := w.Fn; fn.Parent() != nil && fn != reach[0].Param.Parent() && !d.keepsTo(fn); fn = fn.Parent() {
		if len(d.r.callers[fn]) == 0 && fn.Synthetic == "" || onlyReturned(fn) {
			return nil
		}
	}
	return reach
}

// consulted returns the context whose Done or Err a call asks for, when it is in a field of a parameter or a parameter's
// Context gives it.
func (d *deaf) consulted(c ssa.CallInstruction) *contexts.Carrier {
	if !asksEnd(c) {
		return nil
	}
	common := c.Common()
	field, of := ssawalk.Field(common.Value)
	suffix := ".Context()"
	if asked, ok := common.Value.(*ssa.Call); ok && calleeName(asked) == "Context" {
		of = ssawalk.Resolve(asked).Recv
	}
	if field != nil {
		suffix = "." + field.Name()
	}
	if of == nil {
		return nil
	}
	p, ok := ssawalk.Source(of).(*ssa.Parameter)
	if !ok || p.Object() == nil {
		return nil
	}
	return &contexts.Carrier{Expr: p.Name() + suffix, Param: p, Field: field}
}

// quiet reports whether a wait is part of ending something, or runs when what it could inherit is over. A function that ends
// something and is given a context for it is not excused.
func (d *deaf) quiet(w *channels.Wait) bool {
	f := d.r.flow
	if _, deferred := w.Instr.(*ssa.Defer); deferred || d.over(w.Instr) || f.perhapsOver(w.Instr) {
		return true
	}
	if onEndlessPath(w.Instr.Block()) {
		return true // the context has been asked, and does not end
	}
	for fn := w.Fn; fn.Parent() != nil; fn = fn.Parent() {
		if endsLater(fn) {
			return true
		}
	}
	if d.calledWhenOver(w.Fn) || afterCancel(w.Instr) && !d.hasTime(w.Fn) {
		return true
	}
	return f.cleanupFunc(w.Fn) && !takesCarrier(d.r, ssawalk.Outermost(w.Fn)) && !d.stepOfEnd(w.Fn)
}

// afterCancel reports whether a function called cancel is always called before, whatever its type: what is waited for then has
// been told to end.
func afterCancel(in ssa.Instruction) bool {
	for c := range ssawalk.Calls(in.Parent()) {
		if call, ok := c.(*ssa.Call); ok && ssawalk.Before(call, in) && strings.HasPrefix(strings.ToLower(calledName(call)), "cancel") {
			return true
		}
	}
	return false
}

// calledName returns the name of what is called: a function, a method, a field or variable that holds one.
func calledName(c *ssa.Call) string {
	if name := calleeName(c); name != "" {
		return name
	}
	return valueName(c.Call.Value)
}

// calledWhenOver reports whether fn is only called where a context is over.
func (d *deaf) calledWhenOver(fn *ssa.Function) bool {
	callers := d.r.callers[fn]
	if obj := fn.Object(); len(callers) == 0 || obj != nil && obj.Exported() {
		return false
	}
	for _, s := range callers {
		if !d.over(s.in) {
			return false
		}
	}
	return true
}

func takesCarrier(r *Result, fn *ssa.Function) bool {
	for _, c := range r.reach(fn) {
		if c.Field == nil {
			return true
		}
	}
	return false
}

// endsLater reports whether a literal is deferred, or given to something that calls it at the end.
func endsLater(lit *ssa.Function) bool {
	for _, mc := range closures(lit) {
		for _, ref := range *mc.Referrers() {
			if c, ok := ref.(ssa.CallInstruction); ok {
				if _, deferred := c.(*ssa.Defer); deferred || registersEnd(calleeName(c)) {
					return true
				}
			}
		}
	}
	return false
}

// unjoinedDeaf marks the waits for other goroutines that are in a goroutine: who joins it waits by a wait of its own.
func unjoinedDeaf(effects []effect) []effect {
	for i := range effects {
		effects[i].Async = effects[i].Async || effects[i].Deaf
	}
	return effects
}
