package summaries

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// readsBelow returns the name of a read that ends with nothing but what comes, from a connection that a field keeps, and that a called
// function of this package surely does without a context of its own; or "".
func (r *Result) readsBelow(call ssa.CallInstruction) string {
	_, plain := call.(*ssa.Call)
	fn := call.Common().StaticCallee()
	if !plain || fn == nil || fn.Parent() != nil || fn.Pkg != call.Parent().Pkg || len(fn.Blocks) == 0 || typeset.ContextParam(fn.Signature) >= 0 || r.ended.has(call) {
		return ""
	}
	for _, in := range fn.Blocks[0].Instrs { // what surely runs
		if c, ok := in.(*ssa.Call); ok {
			if name := r.readFrom(c, r.keptDeaf); name != "" {
				return name
			}
		}
	}
	return ""
}

// keptDeaf reports whether reads from the connection in a field end with nothing but what comes: whoever made what has the field gave it,
// out of sight, or it was dialled, and all that this package ever does with it is to read and to write, or to close it when the
// loop is through with it. A component that closes its connection elsewhere may well do so when the context ends.
func (r *Result) keptDeaf(x contexts.Conn) bool {
	f := x.Field
	if f == nil || f.Exported() || f.Pkg() != r.pass.Pkg || !contexts.IsConn(f.Type()) || len(r.conns.sets[x]) > 0 {
		return false // others may have it; no connection; it has deadlines
	}
	from := r.ctx.Sources(x)
	for _, y := range from {
		p, given := y.Value.(*ssa.Parameter)
		if len(r.conns.sets[y]) > 0 || given && len(r.callers[p.Parent()]) > 0 || !given && !r.ctx.Dialled(y) {
			return false // bounded; made by what is in sight, which may close it; nobody knows
		}
	}
	return len(from) > 0 && r.onlyTalks(f)
}

// onlyTalks reports whether this package does nothing with what is in a field but to call its methods, none of which ends it or hands it
// out.
func (r *Result) onlyTalks(f *types.Var) bool {
	for _, fn := range r.ir.Funcs {
		for in := range ssawalk.Instrs(fn) {
			v, ok := in.(ssa.Value)
			if !ok || r.ir.InTest(fn) {
				continue
			}
			if is, _ := ssawalk.Field(v); is != f {
				continue
			}
			if _, addr := v.(*ssa.FieldAddr); addr && !onlyLoaded(v) || !addr && !r.leavesOpen(v) {
				return false
			}
		}
	}
	return true
}

// onlyLoaded reports whether the address of a field goes nowhere: it is read and stored to.
func onlyLoaded(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// leavesOpen reports whether all uses of a connection are calls of its methods that neither end it nor hand it out.
func (r *Result) leavesOpen(conn ssa.Value) bool {
	for _, ref := range *conn.Referrers() {
		if _, debug := ref.(*ssa.DebugRef); debug {
			continue
		}
		c, ok := ref.(ssa.CallInstruction)
		if !ok || ssawalk.Resolve(c).Recv != conn {
			return false
		}
		name := calleeName(c)
		if strings.HasPrefix(name, "Close") && !r.closesBehindPoll(c) || strings.HasPrefix(name, "Set") || strings.HasSuffix(name, "Conn") {
			return false
		}
	}
	return true
}

// closesBehindPoll reports whether a call is put off to the end of a function with a loop that asks a context: it runs when the loop is over.
func (r *Result) closesBehindPoll(c ssa.CallInstruction) bool {
	if _, later := c.(*ssa.Defer); !later {
		return false
	}
	for _, l := range r.loops.In(c.Parent()) {
		if polled(l) != "" {
			return true
		}
	}
	return false
}
