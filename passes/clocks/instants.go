package clocks

import (
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// losing maps the methods of time.Time that leave the monotonic part out.
var losing = map[string]bool{
	"UTC": true, "Local": true, "In": true, "Unix": true, "UnixNano": true, "UnixMilli": true, "UnixMicro": true,
	"Format": true, "String": true, "AppendFormat": true,
}

// isClock reports whether an interface's method is called that stands for time.Now.
func isClock(t contexts.Target) bool {
	return t.Obj != nil && t.Obj.Name() == "Now" && t.Sig.Params().Len() == 0 && t.Sig.Results().Len() == 1 &&
		typeset.IsTime(t.Sig.Results().At(0).Type()) && typeset.IsInterfaceMethod(t.Obj)
}

// ofTime is what package time makes of a reading.
func (e *evaluation) ofTime(c *ssa.Call, t contexts.Target, name string, index int) reading {
	method, isMethod := strings.CutPrefix(name, "(time.Time).")
	var from reading
	switch {
	case isMethod && method == "Add":
		return e.of(t.Recv())
	case isMethod && (losing[method] || e.tidies(method, t)):
		if from = e.of(t.Recv()); from.state != own {
			return from
		}
		return reading{own, []*ssa.Call{c}} // whatever it had lost before: this is the last that does
	case name == "time.Unix":
		from = e.of(t.Param(0))
		if from.state == nothing || isConst(t.Param(0)) {
			from = e.of(t.Param(1)) // time.Unix(0, nanoseconds)
		}
		return from
	case name == "time.UnixMilli" || name == "time.UnixMicro":
		return e.of(t.Param(0))
	case (name == "time.Parse" || name == "time.ParseInLocation") && index == 0:
		return e.of(t.Param(1))
	}
	return opaque // Round(0) and Truncate(0) ask for wall time, Date and AddDate for the calendar
}

// tidies reports whether a method rounds a reading to less than a minute, as for a log, and so leaves its monotonic part out by the way.
// Longer ones are periods of the calendar: minutes, hours, days.
func (e *evaluation) tidies(method string, t contexts.Target) bool {
	if method != "Round" && method != "Truncate" {
		return false
	}
	c, ok := t.Param(0).(*ssa.Const)
	if !ok || c.Value == nil {
		return false // nobody can tell
	}
	by := time.Duration(c.Int64())
	return by > 0 && by < time.Minute
}

// atomic is a load of an atomic number or value.
func (e *evaluation) atomic(c *ssa.Call, t contexts.Target, name string) reading {
	addr := t.Recv()
	if addr == nil {
		addr = t.Param(0)
	}
	if t.Obj == nil || !strings.HasPrefix(t.Obj.Name(), "Load") {
		return opaque
	}
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		return e.p.node(place{field: e.p.fieldOf(addr)}).now
	case *ssa.Global:
		return e.p.node(place{global: addr}).now
	}
	return opaque
}

// nameOf returns what a call is known as: UTC, clock.Now.
func nameOf(t *types.Func) string {
	if t == nil {
		return "the call"
	}
	if r := typeset.Receiver(t); r != nil && typeset.IsTime(r) {
		return t.Name()
	}
	return contexts.DisplayName(t)
}
