package accepts

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// following is the way of one accepted connection.
type following struct {
	p       *program
	seen    map[ssa.Value]bool
	in      map[*ssa.Function]bool // functions it comes through
	accept  ssa.Instruction
	entries map[*ssa.Function][]ssa.Instruction // where it comes into a function
	reads   []ssa.CallInstruction
	lost    []ssa.Instruction // where it goes out of sight
	sure    bool              // where that is, is known
}

// maxSteps bounds the work for one connection.
const maxSteps = 400

// uses goes through what is done with v, the connection or something made from it.
func (f *following) uses(v ssa.Value) {
	if v == nil || f.seen[v] || !f.sure || v.Referrers() == nil {
		return
	}
	f.seen[v] = true
	if len(f.seen) > maxSteps {
		f.sure = false
		return
	}
	for _, ref := range *v.Referrers() {
		f.use(v, ref)
	}
}

func (f *following) use(v ssa.Value, ref ssa.Instruction) {
	switch ref := ref.(type) {
	case *ssa.Extract:
		if ref.Index == 0 {
			f.uses(ref)
		}
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Phi:
		f.uses(ref.(ssa.Value))
	case *ssa.Store:
		f.stored(v, ref)
	case *ssa.MakeClosure:
		if fv := ssawalk.FreeVar(ref, v); fv != nil {
			f.enter(fv.Parent(), runs(ref))
			f.uses(fv)
		}
	case *ssa.UnOp:
		f.uses(ref) // a load of the variable that v is
	case ssa.CallInstruction:
		f.call(v, ref)
	case *ssa.FieldAddr:
		if !contexts.FieldOf(ref).Embedded() || ref.X != v {
			f.lose(ref)
			return
		}
		f.uses(ref) // what a promoted method is called on
	case *ssa.BinOp, *ssa.DebugRef, *ssa.If, *ssa.MapUpdate:
		// compared, or kept to be closed: deadlines would be set somewhere in the package
	default:
		f.lose(ref)
	}
}

// runs returns the only instruction that runs a literal, where it is made otherwise.
func runs(made *ssa.MakeClosure) ssa.Instruction {
	if refs := *made.Referrers(); len(refs) == 1 {
		if c, ok := refs[0].(ssa.CallInstruction); ok && c.Common().Value == ssa.Value(made) {
			return c
		}
	}
	return made
}

// stored follows a connection into a variable or a field.
func (f *following) stored(v ssa.Value, st *ssa.Store) {
	if st.Val != v {
		return // v is the variable
	}
	switch addr := st.Addr.(type) {
	case *ssa.Alloc:
		f.uses(addr)
	case *ssa.FieldAddr:
		f.field(contexts.FieldOf(addr), addr)
	default:
		f.lose(st)
	}
}

// field follows a connection to all loads of a field in the package.
func (f *following) field(field *types.Var, addr *ssa.FieldAddr) {
	if field == nil || field.Exported() && field.Embedded() { // a connection of another type: its methods are promoted
		if made, ok := addr.X.(*ssa.Alloc); ok {
			f.loseWith(made)
		} else {
			f.lose(addr)
		}
		return
	}
	for _, fn := range f.p.ir.Funcs {
		if f.p.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			load, ok := in.(*ssa.UnOp)
			if !ok {
				continue
			}
			if a, ok := load.X.(*ssa.FieldAddr); ok && contexts.FieldOf(a) == field {
				f.in[fn] = true
				f.enterWith(fn, a.X)
				f.uses(load)
			}
		}
	}
}

// call looks at a call that gets v.
func (f *following) call(v ssa.Value, call ssa.CallInstruction) {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok && b.Name() == "delete" {
		return // from those that are to be closed
	}
	t, row, known := f.p.row(call.Common())
	switch {
	case t.Fn != nil:
		f.given(v, t, call)
	case !known && t.Obj != nil && t.Recv() == v:
		// a method of the connection without a row, such as RemoteAddr: it takes no time
	case !known:
		f.lose(call) // somebody out of sight
	case row.Verb == knowledge.Waits && row.IO:
		f.waits(v, call, t, row)
	case row.Verb == knowledge.Binds && row.On.IsSet():
		if made, ok := call.(*ssa.Call); ok {
			f.uses(made)
		}
	case row.Verb == knowledge.Waits && !row.Meant, row.Verb == knowledge.Spawns, row.Verb == knowledge.Enters:
		f.lose(call)
	}
}

// waits notes a read. A copy lasts as long as both ends please, as proxies are meant to.
func (f *following) waits(v ssa.Value, call ssa.CallInstruction, t contexts.Target, row knowledge.Row) {
	switch t.Obj.Name() {
	case "Copy", "CopyBuffer", "CopyN", "WriteTo", "ReadFrom":
		f.lose(call)
		return
	}
	if contexts.Writes(t.Obj.Name()) {
		return
	}
	if row.Use != "" || row.Ctx.IsSet() {
		f.lose(call) // a handshake: judged by itself
		return
	}
	f.reads = append(f.reads, call)
	f.in[call.Parent()] = true
}

// given follows a connection into a function of this package.
func (f *following) given(v ssa.Value, t contexts.Target, call ssa.CallInstruction) {
	i := slices.Index(t.Args, v)
	if i < 0 || i >= len(t.Fn.Params) {
		f.lose(call)
		return
	}
	f.enter(t.Fn, call)
	f.uses(t.Fn.Params[i])
}
