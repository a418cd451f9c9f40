package summaries

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// A wait is released by a context when code that runs because the context ended ends the thing waited on: kills the command,
// closes the connection, shuts the server down. One releasing path is enough. What a timer ends so has a bound of its own.

// thing is what is waited on or ended: a variable, or a field of whatever value.
type thing struct {
	value ssa.Value
	field *types.Var
}

// released knows the things that the package ends when a context ends, or a timer.
type released struct {
	r       *Result
	things  map[thing]bool
	byTimer map[thing]bool
	beside  map[thing][]ssa.CallInstruction // the calls that end it after a wait that a timer ends
}

func newReleased(r *Result) *released {
	out := &released{r: r, things: make(map[thing]bool), byTimer: make(map[thing]bool), beside: make(map[thing][]ssa.CallInstruction)}
	for _, fn := range r.ir.Funcs {
		if r.ir.InTest(fn) {
			continue
		}
		timed := r.runByTimer(fn)
		for c := range ssawalk.Calls(fn) {
			switch {
			case r.flow.afterDone(c):
				out.note(c, out.things)
			case timed:
				out.note(c, out.byTimer)
			case releases(calleeName(c)) && r.afterTimer(c):
				for _, t := range out.thingsOf(receiverOf(r, c)) {
					out.beside[t] = append(out.beside[t], c)
				}
			}
		}
	}
	return out
}

// note keeps what a call ends.
func (s *released) note(c ssa.CallInstruction, ended map[thing]bool) {
	for _, a := range c.Common().Args {
		if namesProcess(a) {
			s.keep(a, ended) // its number, given to what kills it and its children
		}
	}
	if recv := receiverOf(s.r, c); recv != nil && releases(calleeName(c)) {
		s.keep(recv, ended)
	}
}

func (s *released) keep(v ssa.Value, ended map[thing]bool) {
	for _, t := range s.thingsOf(v) {
		ended[t] = true
	}
}

// namesProcess reports whether v is the number of a process, cmd.Process.Pid, or that of the group it leads, -cmd.Process.Pid.
func namesProcess(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	if u.Op == token.SUB {
		return namesProcess(u.X)
	}
	f, _ := ssawalk.Field(u.X)
	return f != nil && f.Name() == "Pid" && f.Pkg() != nil && f.Pkg().Path() == "os"
}

// releases reports whether a method of that name makes the waits on its receiver return.
func releases(name string) bool {
	switch name {
	case "Kill", "Signal", "Close", "CloseNow", "Shutdown", "Stop", "GracefulStop", "Cancel", "Abort", "Terminate", "Interrupt":
		return true
	}
	return false
}

func receiverOf(r *Result, c ssa.CallInstruction) ssa.Value {
	targets, _ := r.ctx.Targets(c.Common())
	if len(targets) != 1 {
		return nil
	}
	return targets[0].Recv()
}

// has reports whether what the call waits on is ended when a context ends.
func (s *released) has(c ssa.CallInstruction) bool { return s.among(s.things, c) }

// timed reports whether what the call waits on is ended by a timer.
func (s *released) timed(c ssa.CallInstruction) bool {
	if s.among(s.byTimer, c) {
		return true
	}
	recv := receiverOf(s.r, c)
	if recv == nil || len(s.beside) == 0 {
		return false
	}
	return slices.ContainsFunc(s.thingsOf(recv), func(t thing) bool {
		return slices.ContainsFunc(s.beside[t], func(end ssa.CallInstruction) bool { return elsewhere(c, end) })
	})
}

func (s *released) among(ended map[thing]bool, c ssa.CallInstruction) bool {
	if len(ended) == 0 || releases(calleeName(c)) {
		return false // the releasing call is itself what is to end
	}
	recv := receiverOf(s.r, c)
	if recv == nil {
		return false
	}
	for _, t := range s.thingsOf(recv) {
		if ended[t] {
			return true
		}
	}
	return false
}

// thingsOf returns what v is, and what it is part of: of cmd.Process, the field and cmd.
func (s *released) thingsOf(v ssa.Value) []thing {
	var out []thing
	for range 10 { // -cmd.Process.Pid, of a captured cmd, takes eight steps
		switch x := s.r.ctx.Variable(v).(type) {
		case *ssa.FieldAddr:
			out = append(out, thing{field: contexts.FieldOf(x)})
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Extract:
			return append(out, thing{value: x})
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.Alloc:
			if stored := s.r.ctx.StoredIn(x); stored != nil {
				v = stored
				continue
			}
			return append(append(out, thing{value: x}), s.wrapped(x)...)
		default:
			return append(out, thing{value: x})
		}
	}
	return out
}

// wrapped is what can be closed of the fields that a struct is made with: the connection in PubSubConn{Conn: c}.
func (s *released) wrapped(made *ssa.Alloc) []thing {
	var out []thing
	for _, ref := range *made.Referrers() {
		f, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *f.Referrers() {
			if st, ok := use.(*ssa.Store); ok && typeset.Method(st.Val.Type(), "Close") != nil {
				out = append(out, thing{value: s.r.ctx.Behind(st.Val)})
			}
		}
	}
	return out
}

// runByTimer reports whether fn is a literal that a timer runs, or a function of its own that does.
func (r *Result) runByTimer(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return slices.ContainsFunc(closures(fn), func(made ssa.Value) bool { return givenTo(made, "time.AfterFunc") })
	}
	return slices.ContainsFunc(r.callers[fn], func(s site) bool { return calledIs(s.in, "time.AfterFunc") })
}
