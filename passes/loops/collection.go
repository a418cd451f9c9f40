package loops

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// Collection reports whether the loop goes over what is there when it begins: a slice, a map, a string. A loop over a
// channel does not; nor does one that looks in its midst how much has come together, and leaves when that is enough.
func (l *Loop) Collection() bool {
	if l.Ring() {
		return false
	}
	for _, e := range l.exits() {
		switch cond := e.cond.(type) {
		case *ssa.BinOp:
			if (l.isLen(cond.X) || l.isLen(cond.Y)) && (e.at == l.Head || l.counts(cond.X) || l.counts(cond.Y)) {
				return true
			}
		case *ssa.Extract:
			if _, ok := cond.Tuple.(*ssa.Next); ok {
				return true
			}
		}
	}
	return false
}

// isLen reports whether a value is how much there is of something: of a channel only where the loop takes from it, for else it waits for
// others to do so.
func (l *Loop) isLen(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return false
	}
	if _, isChan := c.Call.Args[0].Type().Underlying().(*types.Chan); isChan {
		return l.receives()
	}
	return !l.leftOver(c.Call.Args[0])
}

// leftOver reports whether a value is, from the second round on, what an attempt that can fail says is left to do: it is tried again, as
// the items that a table had no capacity for.
func (l *Loop) leftOver(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return false
	}
	for i, e := range phi.Edges {
		if !l.Has(phi.Block().Preds[i]) {
			continue
		}
		if load, ok := e.(*ssa.UnOp); ok && load.Op == token.MUL {
			fa, ok := load.X.(*ssa.FieldAddr)
			if !ok {
				return false
			}
			e = fa.X
		}
		x, ok := e.(*ssa.Extract)
		if !ok {
			return false
		}
		call, ok := x.Tuple.(*ssa.Call)
		if !ok || !typeset.ReturnsError(call.Call.Signature()) {
			return false
		}
	}
	return true
}

// receives reports whether a round receives from some channel.
func (l *Loop) receives() bool {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				if in.Op == token.ARROW && !IsTimer(in.X.Type()) {
					return true
				}
			case *ssa.Select:
				return true
			}
		}
	}
	return false
}
