package contexts

import (
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// Conn is where a connection comes from: the call that dialled it, a parameter, or the field in which it is kept. It is the
// zero Conn when that cannot be told.
type Conn struct {
	Value ssa.Value  // the *ssa.Call that dialled it, or a *ssa.Parameter
	Field *types.Var // the field
}

// Conns returns the connections that v may be or may be made from: a reader over one, a TLS client on one. Deadlines belong
// to these. The second result is false when some of them cannot be told.
func (r *Result) Conns(v ssa.Value) ([]Conn, bool) {
	w := &connWalk{r: r, seen: make(map[ssa.Value]bool), sure: true}
	w.walk(v)
	return w.out, w.sure && len(w.out) > 0
}

type connWalk struct {
	r    *Result
	seen map[ssa.Value]bool
	out  []Conn
	sure bool
}

func (w *connWalk) walk(v ssa.Value) {
	if v == nil || len(w.seen) > 50 {
		w.sure = false
		return
	}
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const: // nil
	case *ssa.Parameter:
		w.add(Conn{Value: v})
	case *ssa.Phi:
		w.all(v.Edges)
	case *ssa.Extract:
		if typeset.Name(typeset.Deref(v.Type())) == "net/http.Response" {
			w.sure = false // the answer to a handshake, beside the connection that it was for: its body is at hand
			return
		}
		if c, ok := v.Tuple.(*ssa.Call); ok && w.result(c, v.Index) {
			return
		}
		w.walk(v.Tuple)
	case *ssa.MakeInterface:
		w.walk(v.X)
	case *ssa.ChangeInterface:
		w.walk(v.X)
	case *ssa.TypeAssert:
		w.walk(v.X)
	case *ssa.FreeVar:
		w.walk(w.r.stores.bindings[v])
	case *ssa.UnOp:
		w.load(v)
	case *ssa.FieldAddr:
		w.part(v)
	case *ssa.Call:
		w.call(v)
	default:
		w.sure = false
	}
}

// part is the receiver of a method that a connection has from what it embeds: (*net.TCPConn).Read is that of its conn.
func (w *connWalk) part(v *ssa.FieldAddr) {
	if fieldOf(v).Embedded() && IsConn(v.X.Type()) {
		w.walk(v.X)
		return
	}
	w.sure = false
}

func (w *connWalk) add(c Conn) {
	for _, x := range w.out {
		if x == c {
			return
		}
	}
	w.out = append(w.out, c)
}

func (w *connWalk) all(vals []ssa.Value) {
	for _, x := range vals {
		w.walk(x)
	}
}

func (w *connWalk) load(v *ssa.UnOp) {
	switch addr := w.r.stores.variable(v.X).(type) {
	case *ssa.Alloc:
		w.all(w.r.stores.vars[addr])
	case *ssa.FieldAddr:
		if f := fieldOf(addr); IsConn(f.Type()) {
			w.add(Conn{Field: f})
		} else {
			w.all(w.r.stores.fields[f]) // a reader kept beside its connection
		}
	default:
		w.sure = false
	}
}

func (w *connWalk) call(c *ssa.Call) {
	targets, ok := w.r.Targets(&c.Call)
	if !ok || len(targets) != 1 {
		w.sure = false
		return
	}
	t := targets[0]
	row, known := w.r.Row(t.Obj)
	switch {
	case known && row.On.IsSet() && (row.Verb == knowledge.Binds || row.Verb == knowledge.Waits && row.IO):
		w.all(t.all(row.On)) // made over what it is given, whether or not it talks on it at once
	case known && row.Verb == knowledge.Waits && givesConn(t.Sig):
		w.add(Conn{Value: c})
	case t.Fn != nil && givesConn(t.Sig):
		w.returned(t, 0)
	case givesConn(t.Sig):
		w.add(Conn{Value: c}) // made out of sight: it has the deadlines that are set on it here
	default:
		w.sure = false
	}
}

// result follows a later result of a function of this package, such as a reader over the connection that it was given.
func (w *connWalk) result(c *ssa.Call, index int) bool {
	targets, ok := w.r.Targets(&c.Call)
	if !ok || len(targets) != 1 || targets[0].Fn == nil || len(targets[0].Fn.Blocks) == 0 {
		return false
	}
	if _, known := w.r.Row(targets[0].Obj); known || index == 0 && givesConn(targets[0].Sig) {
		return false // told by the tables, or by the call
	}
	w.returned(targets[0], index)
	return true
}

// returned follows what a function of this package returns; what it was given is followed to the arguments. Another call of the function
// has arguments of its own, so that what was seen in it is forgotten.
func (w *connWalk) returned(t Target, index int) {
	below := &connWalk{r: w.r, seen: maps.Clone(w.seen), sure: true}
	for in := range ssawalk.Instrs(t.Fn) {
		if ret, ok := in.(*ssa.Return); ok {
			below.walk(ret.Results[index])
		}
	}
	w.sure = w.sure && below.sure
	for _, x := range below.out {
		if p, ok := x.Value.(*ssa.Parameter); ok && p.Parent() == t.Fn {
			w.walk(argOf(t, p))
			continue
		}
		w.add(x)
	}
}

// all returns the values that a place names: of a variadic parameter those that are given.
func (t Target) all(p knowledge.Place) []ssa.Value {
	if p.Kind == knowledge.Param && t.Sig.Variadic() && p.Index == t.Sig.Params().Len()-1 {
		if given, ok := Variadic(t); ok {
			return given
		}
	}
	return []ssa.Value{t.At(p)}
}

func givesConn(sig *types.Signature) bool {
	return sig.Results().Len() > 0 && IsConn(sig.Results().At(0).Type())
}

// Writes reports whether a function of a library that does I/O on a connection writes, by its name: what it waits for is room.
func Writes(name string) bool {
	for _, begin := range [...]string{"Write", "Fprint", "Flush", "Encode", "PrintfLine"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// Reads reports whether a function of a library that does I/O on a connection only reads, by its name: a deadline for writes does not end
// it.
func Reads(name string) bool {
	for _, begin := range [...]string{"Read", "Scan", "Peek", "Decode", "Next", "Receive", "Recv"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// IsConn reports whether a value of type t is a connection: it has deadlines.
func IsConn(t types.Type) bool { return typeset.Method(t, "SetReadDeadline") != nil }

// Dialled reports whether c is a connection that this package dials, and which therefore nobody else could have bounded: the
// call itself, or a field that only such calls are stored to.
func (r *Result) Dialled(c Conn) bool {
	if call, ok := c.Value.(*ssa.Call); ok {
		targets, _ := r.Targets(&call.Call)
		if len(targets) != 1 {
			return false
		}
		row, ok := r.Row(targets[0].Obj)
		return ok && row.Verb == knowledge.Waits && !row.Meant
	}
	if c.Field == nil {
		return false
	}
	dialled := false
	for _, v := range r.stores.fields[c.Field] {
		if k, ok := v.(*ssa.Const); ok && k.IsNil() {
			continue // dropped, to be dialled again
		}
		dialled = true
		from, sure := r.Conns(v)
		if !sure {
			return false
		}
		for _, x := range from {
			if x.Field != nil || !r.Dialled(x) {
				return false
			}
		}
	}
	return dialled
}

// Sources returns the calls that dialled the connections kept in a field.
func (r *Result) Sources(c Conn) []Conn {
	var out []Conn
	if c.Field != nil {
		for _, v := range r.stores.fields[c.Field] {
			from, _ := r.Conns(v)
			out = append(out, from...)
		}
	}
	return out
}

// DeadlineOf returns the context whose deadline an instant or duration was computed from, or nil.
func DeadlineOf(v ssa.Value) ssa.Value { return deadlineOf(v) }
