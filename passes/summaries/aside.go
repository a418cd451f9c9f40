package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// A function that is handed a context and a request sends the request under the request's own context. Where its context only reaches
// a logger or a span, whoever calls it with a deadline is not heard, unless the request was made with that deadline too.

// judgeAside judges the requests that an exported function sends for its callers, beside a context of which only loggers and spans hear.
func (r *Result) judgeAside(c *court, fn *ssa.Function) {
	ctx := contextBeside(fn)
	if ctx == nil || r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) {
		return // nothing is handed in beside a request; a test double; part of ending something
	}
	to := &aside{r: r, seen: make(map[ssa.Value]bool)}
	if !to.only(ctx, 0) {
		return // it is heard, looked at, or carried on to where that cannot be told
	}
	for call := range ssawalk.Calls(fn) {
		for _, e := range r.effects(fn, call) {
			if e.End != ByParam || !e.Known || e.Meant || e.Async || len(e.set) == 0 || !r.onlyRequest(fn, e.set) {
				continue // another rule's, or bound by something else
			}
			w := e.Wait
			w.Src, w.In = call.Common().Pos(), fn
			v := r.verdict("deafctx", "aside", w, e.Name, nil)
			v.Ctx, v.Use = ctx.Name(), to.name
			c.add(v)
			return // one request stands for the rest
		}
	}
}

// contextBeside returns the context parameter with a name of an exported function that is also handed a request, and no ResponseWriter:
// a handler answers the request, it does not send it.
func contextBeside(fn *ssa.Function) *ssa.Parameter {
	obj := fn.Object()
	if obj == nil || !obj.Exported() || fn.Parent() != nil || typeset.RequestParam(fn.Signature) < 0 || typeset.ContextParam(fn.Signature) < 0 {
		return nil // of an unexported one the callers are in sight, and what they make the request with is judged there
	}
	var ctx *ssa.Parameter
	for _, p := range fn.Params {
		switch {
		case typeset.Is(p.Type(), "net/http", "ResponseWriter"):
			return nil
		case typeset.IsContext(p.Type()) && p.Name() != "" && p.Name() != "_":
			ctx = p
		}
	}
	return ctx
}

// onlyRequest reports whether all that ends a wait is the context of a request that fn is handed as it is, and neither fn looks at that
// context nor a caller in sight gives a request that carries one.
func (r *Result) onlyRequest(fn *ssa.Function, set contexts.Set) bool {
	for _, o := range set {
		if o.Kind != contexts.Param || o.Param.Parent() != fn || !typeset.IsRequest(o.Param.Type()) || o.Bound.Own {
			return false
		}
		for _, ref := range *o.Param.Referrers() {
			if call, ok := ref.(ssa.CallInstruction); ok && calleeName(call) == "Context" {
				return false // it knows which context is which
			}
		}
		i := paramIndex(fn, o.Param)
		for _, s := range r.callers[fn] {
			targets, _ := r.ctx.Targets(s.in.Common())
			for _, t := range targets {
				if t.Fn == fn && i < len(t.Args) && t.Args[i] != nil && r.ctx.Origins(t.Args[i]).Any(notRoot) {
					return false // made with a context, or perhaps
				}
			}
		}
	}
	return true
}

func notRoot(o contexts.Origin) bool { return o.Kind != contexts.Root }

// aside follows a context to all that is done with it.
type aside struct {
	r    *Result
	seen map[ssa.Value]bool
	name string // the first that hears of it, as a reader would type it
}

// maxAside bounds how many functions of the package a context is followed into.
const maxAside = 3

// only reports whether nothing is done with a context but what takes no time: log lines, spans, values.
func (a *aside) only(v ssa.Value, depth int) bool {
	if a.seen[v] {
		return true
	}
	a.seen[v] = true
	for _, ref := range *v.Referrers() {
		if !a.use(v, ref, depth) {
			return false
		}
	}
	return true
}

func (a *aside) use(v ssa.Value, ref ssa.Instruction, depth int) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Phi:
		return a.only(ref, depth)
	case *ssa.Store:
		_, local := ref.Addr.(*ssa.Alloc)
		return local && ref.Val == v && a.variable(ref.Addr, depth)
	case ssa.CallInstruction:
		return a.given(v, ref, depth)
	}
	return false // kept, sent, returned
}

// variable follows a local variable that holds the context, also where a literal has it.
func (a *aside) variable(addr ssa.Value, depth int) bool {
	if a.seen[addr] {
		return true
	}
	a.seen[addr] = true
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if ref.Addr != addr {
				return false
			}
		case *ssa.UnOp:
			if ref.Op != token.MUL || !a.only(ref, depth) {
				return false
			}
		case *ssa.MakeClosure:
			if in := ssawalk.FreeVar(ref, addr); in == nil || !a.variable(in, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// given reports whether a call that is given the context takes no time by it.
func (a *aside) given(v ssa.Value, call ssa.CallInstruction, depth int) bool {
	common := call.Common()
	if common.IsInvoke() && common.Value == v {
		return common.Method.Name() == "Value"
	}
	targets, all := a.r.ctx.Targets(common)
	if !all || len(targets) != 1 {
		return false
	}
	t := targets[0]
	row, known := a.r.ctx.Row(t.Obj)
	switch {
	case known && row.Verb == knowledge.None:
	case known && row.Verb == knowledge.Derives:
		return a.derived(call, depth)
	case !known && t.Fn != nil && len(t.Fn.Blocks) > 0 && depth < maxAside:
		for i, arg := range t.Args {
			if arg == v && (i >= len(t.Fn.Params) || !a.only(t.Fn.Params[i], depth+1)) {
				return false
			}
		}
	default:
		return false
	}
	if a.name == "" && t.Obj != nil {
		a.name = contexts.DisplayName(t.Obj)
	}
	return true
}

// derived follows the context that a call derives.
func (a *aside) derived(call ssa.CallInstruction, depth int) bool {
	made, ok := call.(*ssa.Call)
	if !ok {
		return true
	}
	if typeset.IsContext(made.Type()) {
		return a.only(made, depth)
	}
	for _, ref := range *made.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && typeset.IsContext(x.Type()) && !a.only(x, depth) {
			return false
		}
	}
	return true
}
