package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// DisplayName returns a function's name as a reader would type it: http.Get, (*sql.DB).QueryContext.
func DisplayName(fn *types.Func) string {
	if fn == nil {
		return "the function literal"
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		if fn.Pkg() == nil {
			return fn.Name()
		}
		return fn.Pkg().Name() + "." + fn.Name()
	}
	t := types.TypeString(recv.Type(), func(p *types.Package) string { return p.Name() })
	return "(" + bare(t) + ")." + fn.Name()
}

// CalledName is DisplayName of a method as the reader calls it, where the type that has it cannot be named:
// (*net.UDPConn).Read, not (*net.conn).Read.
func CalledName(t Target) string {
	embedded, ok := t.Recv().(*ssa.FieldAddr)
	if !ok || t.Obj == nil || !fieldOf(embedded).Embedded() || fieldOf(embedded).Exported() {
		return DisplayName(t.Obj)
	}
	on := types.TypeString(embedded.X.Type(), func(p *types.Package) string { return p.Name() })
	return "(" + bare(on) + ")." + t.Obj.Name()
}

// bare drops type arguments: *queue.Ring[T] is *queue.Ring.
func bare(t string) string {
	for i := range t {
		if t[i] == '[' {
			return t[:i]
		}
	}
	return t
}

// describe names a value as the source does, as far as SSA knows.
func describe(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	case *ssa.UnOp:
		return describe(v.X)
	case *ssa.FieldAddr:
		return describe(v.X) + "." + fieldOf(v).Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.ChangeInterface:
		return describe(v.X)
	case *ssa.MakeInterface:
		return describe(v.X)
	}
	return types.TypeString(v.Type(), func(p *types.Package) string { return p.Name() })
}
