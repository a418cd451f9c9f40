package clocks

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
)

// place is where readings are kept: one of the fields is set.
type place struct {
	field  *types.Var
	global *ssa.Global
	local  *ssa.Alloc
	param  *ssa.Parameter
	fn     *ssa.Function // its result
	index  int
	inside bool // the elements of the map kept there
}

// node is a place and what is known of it.
type node struct {
	at     place
	values []ssa.Value
	shut   bool // something out of sight may store there: unknown for good
	now    reading
}

// program is the package that is looked at.
type program struct {
	pass  *analysis.Pass
	code  *ir.Result
	ctx   *contexts.Result
	nodes map[place]*node
	list  []*node
	dirty bool
	reads bool // something reads a clock

	stored  map[place][]ssa.Value
	shut    map[place]bool
	called  map[*ssa.Function][]contexts.Target
	callers map[*ssa.Function][]*ssa.Call
	values  map[*ssa.Function]bool // used as values: called from who knows where
}

func newProgram(pass *analysis.Pass, code *ir.Result) *program {
	p := &program{
		pass: pass, code: code, ctx: contexts.Of(pass), nodes: map[place]*node{}, stored: map[place][]ssa.Value{},
		shut: map[place]bool{}, called: map[*ssa.Function][]contexts.Target{}, values: map[*ssa.Function]bool{},
		callers: map[*ssa.Function][]*ssa.Call{},
	}
	all := code.Funcs
	if init := code.Pkg.Func("init"); init != nil {
		all = append([]*ssa.Function{init}, all...)
	}
	for _, fn := range all {
		if code.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			p.index(in)
		}
	}
	return p
}

// index notes what one instruction stores, calls and gives away.
func (p *program) index(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if at, ok := p.placeOf(in.Addr); ok {
			p.stored[at] = append(p.stored[at], in.Val)
		}
	case *ssa.MapUpdate:
		if at := p.elements(in.Map); at != (place{}) {
			p.stored[at] = append(p.stored[at], in.Value)
		}
	case *ssa.FieldAddr:
		p.address(in, place{field: p.fieldOf(in)})
	case *ssa.MakeInterface:
		p.leaves(in)
	}
	for _, op := range in.Operands(nil) {
		switch x := (*op).(type) {
		case *ssa.Function:
			if c, ok := ssawalk.AsCall(in); !ok || c.Common().Value != x {
				p.values[ssawalk.Declared(x)] = true
			}
		case *ssa.Global:
			p.globalUse(x, in)
		}
	}
	if c, ok := ssawalk.AsCall(in); ok {
		p.call(c)
	}
}

func (p *program) call(c ssa.CallInstruction) {
	targets, _ := p.ctx.Targets(c.Common())
	for _, t := range targets {
		name := p.ctx.Name(t.Obj)
		if name == "time.Now" || isClock(t) || t.Obj != nil && t.Obj.Pkg() != p.pass.Pkg && p.pass.ImportObjectFact(t.Obj, new(reads)) {
			p.reads = true
		}
		if t.Fn != nil {
			p.called[t.Fn] = append(p.called[t.Fn], t)
			p.addCaller(c, t.Fn)
		}
	}
	if _, name := p.calls(c.Common()); strings.Contains(name, "sync/atomic.") {
		p.atomicStore(c)
	}
}

// atomicStore notes what an atomic call stores: its last argument.
func (p *program) atomicStore(c ssa.CallInstruction) {
	t, _ := p.calls(c.Common())
	args := c.Common().Args
	if len(args) < 2 {
		return
	}
	at, ok := p.placeOf(args[0])
	if !ok {
		return
	}
	switch name := t.Obj.Name(); {
	case strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Swap"), strings.HasPrefix(name, "CompareAndSwap"):
		p.stored[at] = append(p.stored[at], args[len(args)-1])
	case strings.HasPrefix(name, "Load"):
	default:
		p.shut[at] = true // counted up
	}
}

// placeOf returns the place with that address.
func (p *program) placeOf(addr ssa.Value) (place, bool) {
	switch a := p.ctx.Variable(addr).(type) {
	case *ssa.FieldAddr:
		return place{field: p.fieldOf(a)}, true
	case *ssa.Global:
		return place{global: a}, true
	case *ssa.Alloc:
		return place{local: a}, true
	}
	return place{}, false
}

// fieldOf returns the field that v reads or addresses.
func (p *program) fieldOf(v ssa.Value) *types.Var {
	f, _ := ssawalk.Field(v)
	return f
}

// elements returns the place of the elements of a map that is kept in a field or variable.
func (p *program) elements(m ssa.Value) place {
	load, ok := ssawalk.Strip(m).(*ssa.UnOp)
	if !ok {
		return place{}
	}
	at, ok := p.placeOf(load.X)
	if !ok {
		return place{}
	}
	at.inside = true
	return at
}

// address looks at what is done with the address of a field: it is read, stored to, or given to an atomic call, or else somebody
// may store out of sight.
func (p *program) address(a *ssa.FieldAddr, at place) {
	if at.field == nil || at.field.Pkg() != p.pass.Pkg || tagged(a) {
		p.shut[at] = true
		return
	}
	for _, ref := range *a.Referrers() {
		p.addressUse(at, a, ref)
	}
}

func (p *program) addressUse(at place, a ssa.Value, ref ssa.Instruction) {
	switch ref := ref.(type) {
	case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeClosure:
	case *ssa.Store:
		if ref.Val == a {
			p.shut[at] = true
		}
	case ssa.CallInstruction:
		if _, name := p.calls(ref.Common()); !strings.Contains(name, "sync/atomic.") && !strings.HasPrefix(name, "(*sync.") {
			p.shut[at] = true
		}
	default:
		p.shut[at] = true
	}
}

// tagged reports whether the field has a tag: a decoder stores in it.
func tagged(a *ssa.FieldAddr) bool {
	st, ok := typeset.Deref(a.X.Type()).Underlying().(*types.Struct)
	return ok && st.Tag(a.Field) != ""
}

func (p *program) globalUse(g *ssa.Global, in ssa.Instruction) {
	if g.Pkg != p.code.Pkg {
		p.shut[place{global: g}] = true
		return
	}
	p.addressUse(place{global: g}, g, in)
}

// codecs matches what writes a value down or reads it: encoders, databases, messages. Not what logs.
var (
	codecs  = regexp.MustCompile(`(?i)code|marshal|json|yaml|xml|gob|proto|msgpack|bson|toml|sql|gorm|scan|bind`)
	loggers = regexp.MustCompile(`(?i)(?:print|log|debug|info|warn|warning|error|fatal|panic|notice|trace)[fw]?(?:ln)?$`)
)

// leaves notes that a struct is given away as any, perhaps to be written down and read back: its instants may come from there. Who
// encodes it reads all that it holds; of others it is the struct itself that may.
func (p *program) leaves(m *ssa.MakeInterface) {
	if i, ok := m.Type().Underlying().(*types.Interface); !ok || i.NumMethods() > 0 {
		return
	}
	for _, ref := range *m.Referrers() {
		c, ok := ref.(ssa.CallInstruction)
		if !ok {
			continue
		}
		switch _, name := p.calls(c.Common()); {
		case strings.HasPrefix(name, "container/"), strings.HasPrefix(name, "(*container/"), strings.HasPrefix(name, "(*sync."):
		case codecs.MatchString(name):
			p.written(m.X.Type(), map[types.Type]bool{})
		case loggers.MatchString(name):
		default:
			p.shutFields(m.X.Type())
		}
	}
}

func (p *program) shutFields(t types.Type) {
	st, ok := typeset.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		p.shut[place{field: f.Origin()}] = true
	}
}

// written shuts the fields of a type that is written down, and of what it holds.
func (p *program) written(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		p.written(u.Elem(), seen)
	case *types.Slice:
		p.written(u.Elem(), seen)
	case *types.Array:
		p.written(u.Elem(), seen)
	case *types.Map:
		p.written(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() { // no encoder sees the others
				p.shut[place{field: f.Origin()}] = true
				p.written(f.Type(), seen)
			}
		}
	}
}
