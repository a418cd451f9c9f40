package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// fallback reports whether a call is what is left for a value that turned out not to have a method with a context: there is nothing
// else to call.
//
//	if d, ok := dialer.(proxy.ContextDialer); ok {
//		return d.DialContext(ctx, network, addr)
//	}
//	return dialer.Dial(network, addr)
func fallback(c ssa.CallInstruction) bool {
	if !c.Common().IsInvoke() {
		return false
	}
	on := c.Common().Value
	for in := range ssawalk.Instrs(c.Parent()) {
		assert, ok := in.(*ssa.TypeAssert)
		if ok && assert.CommaOk && sameValue(assert.X, on) && takesContext(assert.AssertedType) && refused(assert, c.Block()) {
			return true
		}
	}
	return false
}

// sameValue reports whether two values are one: the same, or loads of the same field.
func sameValue(x, y ssa.Value) bool {
	x, y = ssawalk.Source(x), ssawalk.Source(y)
	if x == y {
		return true
	}
	f, a := ssawalk.Field(x)
	g, b := ssawalk.Field(y)
	return f != nil && f == g && (ssawalk.Source(a) == ssawalk.Source(b) || samePlace(a, b))
}

// samePlace reports whether two values are loads of one variable, such as a receiver in a literal that captures it, or one struct in it.
func samePlace(x, y ssa.Value) bool {
	switch a := x.(type) {
	case *ssa.UnOp:
		b, ok := y.(*ssa.UnOp)
		return ok && a.Op == token.MUL && b.Op == token.MUL && a.X == b.X
	case *ssa.FieldAddr:
		b, ok := y.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && (a.X == b.X || samePlace(a.X, b.X))
	}
	return false
}

// takesContext reports whether t has a method with a context.
func takesContext(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		if typeset.ContextParam(m.Signature()) >= 0 {
			return true
		}
	}
	return false
}

// refused reports whether b is reached only when the assertion did not hold.
func refused(assert *ssa.TypeAssert, b *ssa.BasicBlock) bool {
	for _, ref := range *assert.Referrers() {
		ok, is := ref.(*ssa.Extract)
		if !is || ok.Index != 1 {
			continue
		}
		for _, use := range *ok.Referrers() {
			if branch, is := use.(*ssa.If); is && len(branch.Block().Succs[1].Preds) == 1 && branch.Block().Succs[1].Dominates(b) {
				return true
			}
		}
	}
	return false
}
