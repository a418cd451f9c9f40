package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// taken is a value that a function takes out of a queue.
type taken struct {
	value ssa.Value
	from  ssa.Value // the channel that it is received from; nil when it comes out of a heap, a list or a slice
}

// listed reports whether it comes out of a heap, a list or a slice: things stand there in sight, and others can go through them.
func (t taken) listed() bool { return t.from == nil }

// takenIn returns what fn itself takes out of queues: by a receive, a select, a range over a channel, out of a heap, a list or
// a slice.
func (r *Result) takenIn(fn *ssa.Function) []taken {
	if out, ok := r.takes[fn]; ok {
		return out
	}
	var out []taken
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp:
			switch {
			case in.Op == token.ARROW && in.CommaOk:
				out = append(out, taken{extractOf(in, 0), in.X})
			case in.Op == token.ARROW:
				out = append(out, taken{in, in.X})
			case r.listValue(in), sliced(in):
				out = append(out, taken{value: in})
			}
		case *ssa.Select:
			out = append(out, received(in)...)
		case *ssa.Call:
			if calledIs(in, "container/heap.Pop") || r.leavesList(in) {
				out = append(out, taken{value: in})
			}
		}
	}
	out = present(out)
	r.takes[fn] = out
	return out
}

// received returns what the receiving cases of a select give; the value is nil where it is not used.
func received(sel *ssa.Select) []taken {
	var out []taken
	n := 2
	for _, s := range sel.States {
		if s.Dir == types.RecvOnly {
			out = append(out, taken{extractOf(sel, n), s.Chan})
			n++
		}
	}
	return out
}

// present leaves out what is taken and dropped.
func present(in []taken) []taken {
	out := in[:0]
	for _, t := range in {
		if t.value != nil {
			out = append(out, t)
		}
	}
	return out
}

const listRemove = "(*container/list.List).Remove"

// leavesList reports whether a call takes a value out of a list that is a queue. One whose elements are moved to an end is kept by
// age of use: what leaves it is thrown away.
func (r *Result) leavesList(c ssa.CallInstruction) bool {
	return calledIs(c, listRemove) && !r.movesInLists()
}

// listValue reports whether a load reads the value of a list's element that its function takes out of the list.
func (r *Result) listValue(load *ssa.UnOp) bool {
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || load.Op != token.MUL || !typeset.IsPointerTo(fa.X.Type(), "container/list", "Element") {
		return false
	}
	for c := range ssawalk.Calls(load.Parent()) {
		if r.leavesList(c) && c.Common().Args[1] == fa.X {
			return true
		}
	}
	return false
}

// movesInLists reports whether the package moves elements of lists, as a cache does with what was used.
func (r *Result) movesInLists() bool {
	for _, fn := range r.ir.Funcs {
		for c := range ssawalk.Calls(fn) {
			if calledIs(c, "(*container/list.List).MoveToFront") || calledIs(c, "(*container/list.List).MoveToBack") {
				return true
			}
		}
	}
	return false
}

// sliced reports whether a load reads the first or the last element of a slice, kept in a field or a package variable, that its function makes
// shorter. A list that the function has made itself, to go through it once, is no queue.
func sliced(load *ssa.UnOp) bool {
	at, ok := load.X.(*ssa.IndexAddr)
	if !ok || load.Op != token.MUL || !atEnd(at.Index) {
		return false
	}
	place := queueOf(at.X)
	if place == nil {
		return false
	}
	for in := range ssawalk.Instrs(load.Parent()) {
		switch in := in.(type) {
		case *ssa.Store:
			if placeAt(in.Addr) == place && shorter(in.Val, place) {
				return true
			}
		case *ssa.MapUpdate:
			if queueOf(in.Map) == place && shorter(in.Value, place) {
				return true
			}
		}
	}
	return false
}

// atEnd reports whether an index is 0, or so many less than another number.
func atEnd(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Int64() == 0
	case *ssa.BinOp:
		return v.Op == token.SUB
	}
	return false
}

// queueOf returns the field or the package variable in which a slice is kept, alone or in a map; nil for any other.
func queueOf(v ssa.Value) types.Object {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return placeAt(v.X)
		}
	case *ssa.Lookup:
		return queueOf(v.X)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok {
			return queueOf(l)
		}
	}
	return nil
}

// placeAt returns the field or package variable that has an address: not a field of something that the function has made.
func placeAt(addr ssa.Value) types.Object {
	switch addr := addr.(type) {
	case *ssa.Global:
		return addr.Object()
	case *ssa.FieldAddr:
		if _, local := addr.X.(*ssa.Alloc); local {
			return nil
		}
		f, _ := ssawalk.Field(addr)
		if f == nil {
			return nil
		}
		return f
	}
	return nil
}

// shorter reports whether a value is the slice in a place without some of its elements.
func shorter(v ssa.Value, place types.Object) bool {
	switch v := v.(type) {
	case *ssa.Slice:
		return queueOf(v.X) == place && (v.Low != nil || v.High != nil)
	case *ssa.Call:
		name := calleeName(v)
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			name = b.Name()
		}
		switch name {
		case "append":
			return len(v.Call.Args) > 0 && shorter(v.Call.Args[0], place)
		case "Delete":
			return len(v.Call.Args) > 0 && queueOf(v.Call.Args[0]) == place
		}
	}
	return false
}
