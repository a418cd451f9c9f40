package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// bound returns what a counted loop counts up to, or the length of what it goes over; nil when it cannot be told.
func bound(l *channels.Loop) ssa.Value {
	for _, in := range l.Header.Instrs {
		if b, ok := in.(*ssa.BinOp); ok && (b.Op == token.LSS || b.Op == token.LEQ) {
			return b.Y
		}
	}
	for _, in := range l.Header.Instrs {
		if n, ok := in.(*ssa.Next); ok {
			if r, ok := n.Iter.(*ssa.Range); ok {
				return r.X // a map, of which the room is the length
			}
		}
	}
	return nil
}

// sameSize reports whether a loop's bound n and the room of a channel are the same: the same value, the length of the same
// thing, or room that is computed from it.
func sameSize(n, room ssa.Value) bool {
	if n == nil {
		return false
	}
	a, b := sized(n), sized(room)
	if a == b || sameField(a, b) {
		return true
	}
	if x, ok := a.(*ssa.Const); ok {
		y, ok := b.(*ssa.Const)
		return ok && x.Int64() <= y.Int64()
	}
	if bin, ok := b.(*ssa.BinOp); ok && (bin.Op == token.ADD || bin.Op == token.MUL) {
		return sameSize(n, bin.X) || sameSize(n, bin.Y)
	}
	return false
}

// sized returns that of which v is the length, or v; a variable or field stands for what is read from it.
func sized(v ssa.Value) ssa.Value {
	for range 8 {
		switch x := v.(type) {
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "len" {
				return v
			}
			v = x.Call.Args[0]
		case *ssa.MakeSlice:
			v = x.Len
		case *ssa.Convert:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			if v = ssawalk.Source(x); v == ssa.Value(x) {
				v = x.X
			}
		default:
			return v
		}
	}
	return v
}

// sameField reports whether two values are read from, or are, the same field of the same thing.
func sameField(a, b ssa.Value) bool {
	f, x := ssawalk.Field(a)
	g, y := ssawalk.Field(b)
	return f != nil && f == g && (x == y || ssawalk.Source(x) == ssawalk.Source(y) || sized(x) == sized(y))
}
