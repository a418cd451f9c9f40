package ssawalk

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Field returns the struct field that v reads or addresses, and the struct (or its address); nil when v is neither.
func Field(v ssa.Value) (field *types.Var, of ssa.Value) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return fieldAt(v.X.Type(), v.Field), v.X
	case *ssa.Field:
		return fieldAt(v.X.Type(), v.Field), v.X
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return fieldAt(a.X.Type(), a.Field), a.X
		}
	}
	return nil, nil
}

// fieldAt returns the origin of the field, so that all instances of a generic struct share it.
func fieldAt(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if p, ok := typeCore(t).(*types.Struct); ok && i < p.NumFields() {
		return p.Field(i).Origin()
	}
	return nil
}

func typeCore(t types.Type) types.Type {
	tp, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	iface := tp.Constraint().Underlying().(*types.Interface)
	for i := range iface.NumEmbeddeds() {
		if u, ok := iface.EmbeddedType(i).(*types.Union); ok && u.Len() == 1 {
			return u.Term(0).Type().Underlying()
		}
	}
	return t.Underlying()
}
