package wires

import (
	"go/token"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// flow follows a value that was taken off the wire forward, and asks whether it has any effect on how long something lasts. What
// is not known to have none has one.
type flow struct {
	p    *program
	seen map[ssa.Value]bool
	at   []ssa.Instruction // the calls of own functions by which it came out of those that took it off the wire
}

// matters reports whether something but a log, an error or a test of its form is made of a value.
func (p *program) matters(v ssa.Value) bool {
	f := &flow{p: p, seen: map[ssa.Value]bool{}}
	return f.value(v)
}

func (f *flow) value(v ssa.Value) bool {
	if v == nil || f.seen[v] {
		return false
	}
	f.seen[v] = true
	if v.Referrers() == nil {
		return true
	}
	for _, ref := range *v.Referrers() {
		if f.use(v, ref) {
			return true
		}
	}
	return false
}

func (f *flow) use(v ssa.Value, ref ssa.Instruction) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef, *ssa.If:
		return false // a test whether it is there, or in form
	case *ssa.BinOp:
		return f.binary(v, ref)
	case *ssa.Extract:
		if typeset.IsError(ref.Type()) {
			return false
		}
		return f.value(ref)
	case *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Phi, *ssa.Slice, *ssa.IndexAddr, *ssa.Index, *ssa.TypeAssert, *ssa.Range, *ssa.Next:
		return f.value(ref.(ssa.Value))
	case *ssa.Store:
		return f.store(v, ref)
	case *ssa.MakeClosure:
		if fv := ssawalk.FreeVar(ref, v); fv != nil {
			return f.value(fv)
		}
	case *ssa.Return:
		return !typeset.IsError(v.Type()) && f.returned(v, ref)
	case ssa.CallInstruction:
		return f.call(v, ref)
	}
	return true
}

// binary is a comparison, which matters when it is with something that is no constant, or arithmetic.
func (f *flow) binary(v ssa.Value, op *ssa.BinOp) bool {
	other := op.X
	if other == v {
		other = op.Y
	}
	switch op.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		_, constant := other.(*ssa.Const)
		return !constant
	}
	return f.value(op)
}

// store is a value put into a local variable, or among the arguments of a variadic call.
func (f *flow) store(v ssa.Value, st *ssa.Store) bool {
	if st.Addr == v {
		return false // the variable is given another value
	}
	switch addr := st.Addr.(type) {
	case *ssa.Alloc:
		return f.value(addr)
	case *ssa.IndexAddr:
		if a, ok := addr.X.(*ssa.Alloc); ok {
			return f.value(a)
		}
	}
	return true
}

var (
	// plain matches functions that make another form of a value, and nothing more.
	plain = regexp.MustCompile(`^(?:strconv|strings|errors|math|unicode/utf8)\.|^fmt\.(?:Sprint|Errorf|Append)|^time\.(?:ParseDuration|Parse|ParseInLocation|Unix|UnixMilli|UnixMicro)$|^\(time\.Duration\)\.|^\(time\.Time\)\.(?:Format|String|UTC|Local|IsZero|Unix|UnixMilli|UnixNano)$|^\(error\)\.Error$`)
	// telling matches functions that tell somebody.
	telling = regexp.MustCompile(`^net/http\.Error$|(?i)^(?:log|\(?\*?log/slog|\(?\*?go\.uber\.org/zap|\(?\*?github\.com/(?:sirupsen/logrus|rs/zerolog|go-logr/logr))[./)]|(?:print|log|debug|info|warn|warning|error|trace)[fw]?(?:ln)?$`)
)

func (f *flow) call(v ssa.Value, c ssa.CallInstruction) bool {
	t, name := f.p.target(c)
	switch b, ok := c.Common().Value.(*ssa.Builtin); {
	case ok:
		return b.Name() != "len" && b.Name() != "print" && b.Name() != "println"
	case plain.MatchString(name):
		call, ok := c.(*ssa.Call)
		return !ok || f.value(call)
	case telling.MatchString(name):
		return false
	case t.Fn == nil || len(t.Fn.Blocks) == 0:
		return true
	}
	for i, a := range t.Args {
		if a == v && (i >= len(t.Fn.Params) || f.value(t.Fn.Params[i])) {
			return true
		}
	}
	return false
}
