package summaries

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// A deadline that is only told, written into a header, a message or a log, is not looked at: whoever is told may refuse the work, but
// here it begins.

// told reports whether all that is done with an instant, a context, or what was computed from one, is to tell somebody of it.
func (l *look) told(v ssa.Value, depth int) bool {
	if depth > 8 || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		if !l.toldBy(ref, v, depth) {
			return false
		}
	}
	return true
}

// toldBy reports whether an instruction uses v only to tell somebody of it.
func (l *look) toldBy(in ssa.Instruction, v ssa.Value, depth int) bool {
	if b, ok := in.(*ssa.BinOp); inWords(v) && !(ok && compares(b.Op)) {
		return true // as of a header
	}
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Send:
		return in.Chan == v // the one who waits is told by it
	case *ssa.Call:
		return l.toldIn(in, v, depth)
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.Phi, *ssa.Slice:
		return l.told(in.(ssa.Value), depth+1)
	case *ssa.Extract:
		return l.told(in, depth+1)
	case *ssa.BinOp:
		return !compares(in.Op) && l.told(in, depth+1)
	case *ssa.If:
		return depth > 0 // whether there is one at all: IsZero, the second result of Deadline
	case *ssa.UnOp:
		return in.Op == token.NOT && l.told(in, depth+1)
	case *ssa.Store:
		return in.Val == v && l.toldAt(in.Addr, depth)
	}
	return false
}

// compares reports whether an operator sets two values against each other.
func compares(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// spellings are the methods of time.Time and time.Duration, and the functions, whose result still says the same.
var spellings = [...]string{"UTC", "Local", "In", "Round", "Truncate", "Unix", "UnixMilli", "UnixMicro", "UnixNano", "Until", "Sub",
	"Milliseconds", "Microseconds", "Nanoseconds", "Seconds", "Deadline", "Format", "String", "IsZero",
	"AppendFormat", "MarshalText", "MarshalJSON", "MarshalBinary"}

// toldIn reports whether a call that is given v only spells it, logs it, or puts it into a message.
func (l *look) toldIn(c *ssa.Call, v ssa.Value, depth int) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close" || b.Name() == "append" && l.told(c, depth+1)
	}
	if c.Call.IsInvoke() && c.Call.Value == v && c.Call.Method.Name() == "Value" {
		return true // what travels with a context
	}
	targets, all := l.r.ctx.Targets(&c.Call)
	if !all || len(targets) != 1 || targets[0].Obj == nil || targets[0].Obj.Pkg() == nil {
		return false
	}
	obj := targets[0].Obj
	switch obj.Pkg().Path() {
	case "time", "context":
		return slices.Contains(spellings[:], obj.Name()) && l.told(c, depth+1)
	case "fmt", "log", "log/slog":
		return true
	case "strconv", "strings":
		return l.told(c, depth+1)
	}
	if row, ok := l.r.ctx.Row(obj); ok && row.Verb == knowledge.None {
		return true
	}
	return isMessage(c.Type())
}

// inWords reports whether a value is a text.
func inWords(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// toldAt reports whether what is stored at an address is a part of what is told: an argument of a variadic call, a field of a message.
func (l *look) toldAt(addr ssa.Value, depth int) bool {
	switch addr := addr.(type) {
	case *ssa.Alloc:
		return l.toldFrom(addr, depth)
	case *ssa.IndexAddr:
		a, ok := addr.X.(*ssa.Alloc)
		return ok && l.toldFrom(a, depth)
	case *ssa.FieldAddr:
		return isMessage(addr.X.Type()) || tagged(addr) && !l.readAnywhere(contexts.FieldOf(addr))
	}
	return false
}

// toldFrom reports whether what a variable or an array of arguments has is only told.
func (l *look) toldFrom(a *ssa.Alloc, depth int) bool {
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store, *ssa.IndexAddr, *ssa.DebugRef:
		case *ssa.Slice:
			if !l.told(ref, depth+1) {
				return false
			}
		case *ssa.UnOp:
			if !l.told(ref, depth+1) {
				return false
			}
		default:
			return false // a method with a pointer, a literal: it may do anything
		}
	}
	return true
}

// isMessage reports whether a type is one that is made to be sent: a protocol buffer, an HTTP cookie.
func isMessage(t types.Type) bool {
	return typeset.Method(t, "ProtoReflect") != nil || typeset.Is(typeset.Deref(t), "net/http", "Cookie")
}

// tagged reports whether a field says how it is written to the wire.
func tagged(fa *ssa.FieldAddr) bool {
	st, ok := typeset.Deref(fa.X.Type()).Underlying().(*types.Struct)
	return ok && reflect.StructTag(st.Tag(fa.Field)) != ""
}

// readAnywhere reports whether some function of the package reads a field.
func (l *look) readAnywhere(f *types.Var) bool {
	other := &look{r: l.r, limit: []*types.Var{f}, strict: true}
	for _, fn := range l.r.ir.Funcs {
		if l.r.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			if v, ok := in.(ssa.Value); ok && other.isRead(v) {
				return true
			}
		}
	}
	return false
}
