package ssawalk

import "golang.org/x/tools/go/ssa"

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// IsZeroTime reports whether v is time.Time{}, which clears a deadline.
func IsZeroTime(v ssa.Value) bool {
	if c, ok := v.(*ssa.Const); ok {
		return c.Value == nil
	}
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	a, ok := u.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *a.Referrers() {
		if _, isStore := ref.(*ssa.Store); isStore {
			return false
		}
		if _, isField := ref.(*ssa.FieldAddr); isField {
			return false
		}
	}
	return true
}
