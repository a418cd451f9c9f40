package summaries

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// A connection ends its reads and writes by a deadline that is set on it, not by a context. What matters is state, so the
// calls that set deadlines are kept with the place where they stand.

// deadlineSet is a call that sets or clears a connection's deadline, or ends the connection when a context ends.
type deadlineSet struct {
	call     ssa.CallInstruction
	clears   bool
	inherits bool // the deadline is a context's, or the call releases the wait when a context ends
	writes   bool // the deadline is of writes alone
	reads    bool // the deadline is of reads alone
}

// conns knows the deadlines that the package sets.
type conns struct {
	r      *Result
	sets   map[contexts.Conn][]deadlineSet
	beside map[contexts.Conn][]ssa.CallInstruction // the calls that close it after a wait that a timer ends
	fields map[contexts.Conn][]*types.Var          // by what is kept in them: those on which deadlines are set
	asking map[*ssa.Parameter]bool                 // what givenBare is being asked of
}

func newConns(r *Result) *conns {
	c := &conns{r: r, sets: make(map[contexts.Conn][]deadlineSet), beside: make(map[contexts.Conn][]ssa.CallInstruction), fields: make(map[contexts.Conn][]*types.Var), asking: make(map[*ssa.Parameter]bool)}
	for _, fn := range r.ir.Funcs {
		if !r.ir.InTest(fn) {
			for call := range ssawalk.Calls(fn) {
				c.note(call)
			}
		}
	}
	for range 2 { // a helper that sets the deadline of its parameter, and its helper
		c.lift()
	}
	for x := range c.sets {
		for _, y := range c.r.ctx.Sources(x) {
			c.fields[y] = append(c.fields[y], x.Field)
		}
	}
	return c
}

// note keeps a call that sets a deadline, or that closes the connection once a context is over.
func (c *conns) note(call ssa.CallInstruction) {
	targets, _ := c.r.ctx.Targets(call.Common())
	if len(targets) != 1 || targets[0].Obj == nil {
		return
	}
	t := targets[0]
	set, on := deadlineSet{call: call}, t.Recv()
	row, known := c.r.ctx.Row(t.Obj)
	switch {
	case known && row.Verb == knowledge.Bounds && row.Until.IsSet():
		until := t.At(row.Until)
		set.clears = ssawalk.IsZeroTime(until)
		set.inherits = contexts.DeadlineOf(until) != nil || c.r.flow.afterDone(call)
		set.writes, set.reads = strings.HasPrefix(t.Obj.Name(), "SetWrite"), strings.HasPrefix(t.Obj.Name(), "SetRead")
	case known && row.Verb == knowledge.Bounds && row.Ctx.IsSet() && row.On.IsSet():
		if c.r.ctx.Origins(t.At(row.Ctx)).Any(func(o contexts.Origin) bool { return bad(o) && !o.Bound.Own }) {
			return // a context that nothing ends ends nothing
		}
		set.inherits, on = true, t.At(row.On)
	case t.Obj.Name() == "Close" && c.r.flow.afterDone(call):
		set.inherits = true
	case t.Obj.Name() == "Close" && (c.r.runByTimer(call.Parent()) || c.r.watches(call)):
	case t.Obj.Name() == "Close" && c.r.afterTimer(call):
		from, _ := c.r.ctx.Conns(on)
		for _, x := range from {
			c.beside[x] = append(c.beside[x], call)
		}
		return
	default:
		return
	}
	from, _ := c.r.ctx.Conns(on)
	for _, x := range from {
		c.sets[x] = append(c.sets[x], set)
	}
}

// lift makes a deadline set on a parameter one set on what callers in sight pass for it.
func (c *conns) lift() {
	for _, fn := range c.r.ir.Funcs {
		for _, p := range fn.Params {
			sets := c.sets[contexts.Conn{Value: p}]
			if len(sets) == 0 {
				continue
			}
			for _, s := range c.r.callers[fn] {
				c.liftTo(s, p, sets)
			}
		}
	}
}

func (c *conns) liftTo(s site, p *ssa.Parameter, sets []deadlineSet) {
	i := paramIndex(p.Parent(), p)
	targets, _ := c.r.ctx.Targets(s.in.Common())
	for _, t := range targets {
		if t.Fn != p.Parent() || i < 0 || i >= len(t.Args) {
			continue
		}
		from, _ := c.r.ctx.Conns(t.Args[i])
		for _, x := range from {
			for _, set := range sets {
				set.call = s.in
				if !c.has(x, set) {
					c.sets[x] = append(c.sets[x], set)
				}
			}
		}
	}
}

func (c *conns) has(x contexts.Conn, s deadlineSet) bool {
	for _, y := range c.sets[x] {
		if y == s {
			return true
		}
	}
	return false
}

// bareness says what ends I/O on a connection.
type bareness uint8

const (
	connUnknown bareness = iota // made or bounded out of sight
	connBare                    // made here, and no deadline is set when the I/O happens
	connBounded                 // by a deadline
)

// kindOfIO says what a call does with a connection.
type kindOfIO uint8

const (
	anyIO   kindOfIO = iota
	reads            // a deadline for writes does not end it
	writing          // nor one for reads this
	shakesHands
)

// of returns what ends the I/O that a call does on the connection v. A handshake that is begun here on a connection from
// elsewhere is bare when the package leaves no deadline on any connection.
func (c *conns) of(call ssa.CallInstruction, v ssa.Value, io kindOfIO) bareness {
	from, sure := c.r.ctx.Conns(v)
	if !sure || len(from) == 0 {
		return connUnknown
	}
	out := connBare
	for _, x := range from {
		out = max(out, c.one(call, x, io))
		if c.one(call, x, io) == connUnknown {
			return connUnknown
		}
	}
	return out
}

func (c *conns) one(call ssa.CallInstruction, x contexts.Conn, io kindOfIO) bareness {
	sets := c.sets[x]
	for _, y := range c.r.ctx.Sources(x) {
		sets = append(sets[:len(sets):len(sets)], c.sets[y]...)
	}
	for _, f := range c.fields[x] { // a reader kept beside the connection that it was made over
		sets = append(sets[:len(sets):len(sets)], c.sets[contexts.Conn{Field: f}]...)
	}
	if slices.ContainsFunc(c.beside[x], func(end ssa.CallInstruction) bool { return elsewhere(call, end) }) {
		return connBounded
	}
	if io == reads || io == writing {
		sets = slices.DeleteFunc(slices.Clone(sets), func(s deadlineSet) bool { return io == reads && s.writes || io == writing && s.reads })
	}
	if len(sets) > 0 {
		if c.cleared(call, sets) || c.tooLate(call, x, sets) {
			return connBare
		}
		return connBounded
	}
	if c.r.ctx.Dialled(x) || c.givenBare(call, x, io) || io == shakesHands && c.leavesNone() && !c.boundedByCaller(x) && !c.r.handedIn(x) {
		return connBare
	}
	return connUnknown
}

// givenBare reports whether a connection is what callers give for a parameter of a function that only this package can call, and each of
// them, in sight, gives one that is bare when it calls. What a goroutine of the function does with it is not asked: it relays.
func (c *conns) givenBare(call ssa.CallInstruction, x contexts.Conn, io kindOfIO) bool {
	p, ok := x.Value.(*ssa.Parameter)
	if !ok || call.Parent() != p.Parent() || !contexts.IsConn(p.Type()) || c.asking[p] || p.Parent().Object() == nil || p.Parent().Object().Exported() || c.r.asValue(p.Parent()) {
		return false
	}
	c.asking[p] = true // a function that calls itself says nothing
	defer delete(c.asking, p)
	i := paramIndex(p.Parent(), p)
	for _, s := range c.r.callers[p.Parent()] {
		targets, _ := c.r.ctx.Targets(s.in.Common())
		for _, t := range targets {
			if t.Fn == p.Parent() && (i >= len(t.Args) || t.Args[i] == nil || c.of(s.in, t.Args[i], io) != connBare) {
				return false
			}
		}
	}
	return len(c.r.callers[p.Parent()]) > 0
}

// boundedByCaller reports whether some caller in sight sets a deadline on the connection that it gives for a parameter.
func (c *conns) boundedByCaller(x contexts.Conn) bool {
	p, ok := x.Value.(*ssa.Parameter)
	if !ok {
		return false
	}
	for _, s := range c.r.callers[p.Parent()] {
		targets, _ := c.r.ctx.Targets(s.in.Common())
		for _, t := range targets {
			i := paramIndex(p.Parent(), p)
			if t.Fn != p.Parent() || i < 0 || i >= len(t.Args) {
				continue
			}
			from, _ := c.r.ctx.Conns(t.Args[i])
			for _, y := range from {
				if len(c.sets[y]) > 0 && !c.cleared(s.in, c.sets[y]) {
					return true
				}
			}
		}
	}
	return false
}

// cleared reports whether the last deadline set before the call in its function is none.
func (c *conns) cleared(call ssa.CallInstruction, sets []deadlineSet) bool {
	var last *deadlineSet
	for i, s := range sets {
		if s.inherits && !s.clears {
			return false
		}
		if _, later := s.call.(*ssa.Defer); later || s.call.Parent() != call.Parent() || !ssawalk.Before(s.call, call) {
			continue
		}
		if last == nil || ssawalk.Before(last.call, s.call) {
			last = &sets[i]
		}
	}
	return last != nil && last.clears
}

// leavesNone reports whether every connection on which the package sets a deadline has it cleared again.
func (c *conns) leavesNone() bool {
	for _, sets := range c.sets {
		cleared := false
		for _, s := range sets {
			cleared = cleared || s.clears
		}
		if !cleared {
			return false
		}
	}
	return true
}

func inLoop(b *ssa.BasicBlock) bool { return ssawalk.Reaches(b, b) }
