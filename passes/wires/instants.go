package wires

import (
	"go/token"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// aware matches the names of values that somebody keeps because two clocks never agree.
var aware = regexp.MustCompile(`(?i)skew|drift|leeway|toleran|clockoff|clock_off`)

// instants returns the places in fn where an instant that another machine's clock gave becomes a deadline as it is, and those where
// the deadline of a context goes out as an instant of this machine's clock. A few hundred milliseconds between the two clocks
// lengthen or shorten the time without a word; a duration does not depend on them.
func (p *program) instants(fn *ssa.Function) []Loss {
	var out []Loss
	for in := range ssawalk.Instrs(fn) {
		c, ok := ssawalk.AsCall(in)
		if !ok {
			continue
		}
		if set, ok := p.setting(in); ok {
			if p.sentInstant(set.value, 0) {
				out = append(out, Loss{Kind: "instant", Pos: c.Common().Pos(), Name: "header " + set.name, Ctx: p.reach(fn)})
			}
			continue
		}
		t, _ := p.target(c)
		row, ok := p.ctx.Row(t.Obj)
		if !ok || row.Verb != knowledge.Derives || !row.Until.IsSet() {
			continue
		}
		if name := p.foreignInstant(t.At(row.Until), 0); name != "" {
			out = append(out, Loss{Kind: "instant", Pos: c.Common().Pos(), Name: name})
		}
	}
	if len(out) > 0 && p.aware(ssawalk.Outermost(fn)) {
		return nil // somebody has thought of the difference
	}
	return out
}

// aware reports whether a function, or one in it, has to do with the difference of clocks.
func (p *program) aware(fn *ssa.Function) bool {
	for in := range ssawalk.Instrs(fn) {
		for _, op := range in.Operands(nil) {
			if *op == nil {
				continue
			}
			if f, _ := ssawalk.Field(*op); f != nil && aware.MatchString(f.Name()) || aware.MatchString((*op).Name()) {
				return true
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		if p.aware(lit) {
			return true
		}
	}
	return false
}

var (
	// instantOf matches what makes an instant of a number or a text, and nothing more.
	instantOf = regexp.MustCompile(`^time\.(?:Unix|UnixMilli|UnixMicro|Parse)$|^strconv\.|\.AsTime$|^\(time\.Time\)\.(?:UTC|Local)$`)
	// numberOf matches what makes a number or a text of an instant.
	numberOf = regexp.MustCompile(`^\(time\.Time\)\.(?:Unix|UnixMilli|UnixMicro|UnixNano|Format|UTC|String)$|^strconv\.|^fmt\.Sprint`)
)

// foreignInstant returns the header or field from which an instant comes, when it is nothing but what came over the wire.
func (p *program) foreignInstant(v ssa.Value, depth int) string {
	if v == nil || depth > 3*maxDepth {
		return ""
	}
	v = ssawalk.Source(v)
	if name := p.reading(v); name != "" {
		return name
	}
	if f, of := ssawalk.Field(v); f != nil {
		if t := of.Type(); contains(limitsOf(t), f) && !p.madeHere(of) {
			return fieldName(t, f)
		}
		return ""
	}
	switch v := v.(type) {
	case *ssa.Extract:
		return p.foreignInstant(v.Tuple, depth+1)
	case *ssa.BinOp:
		if v.Op != token.MUL && v.Op != token.QUO {
			return "" // something is added, or taken away
		}
		if name := p.foreignInstant(v.X, depth+1); name != "" {
			return name
		}
		return p.foreignInstant(v.Y, depth+1)
	case *ssa.Call:
		t, name := p.target(v)
		if !instantOf.MatchString(name) {
			return ""
		}
		for _, a := range t.Args {
			if name := p.foreignInstant(a, depth+1); name != "" {
				return name
			}
		}
	}
	return ""
}

// madeHere reports whether a message is made in the function that reads it: not one from elsewhere.
func (p *program) madeHere(of ssa.Value) bool {
	a, ok := ssawalk.Source(of).(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *a.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok {
			if t, _ := p.target(c); t.Obj != nil && decoders.MatchString(t.Obj.Name()) {
				return false
			}
		}
		if m, ok := ref.(*ssa.MakeInterface); ok && len(*m.Referrers()) > 0 {
			return false
		}
		if st, ok := ref.(*ssa.Store); ok && st.Addr == a {
			return false // a copy of another
		}
	}
	return true
}

// sentInstant reports whether a text or number is the deadline of a context on this machine's clock.
func (p *program) sentInstant(v ssa.Value, depth int) bool {
	if v == nil || depth > 3*maxDepth {
		return false
	}
	switch v := ssawalk.Source(v).(type) {
	case *ssa.Extract:
		c, ok := v.Tuple.(*ssa.Call)
		return ok && v.Index == 0 && isDeadline(c)
	case *ssa.BinOp:
		return (v.Op == token.MUL || v.Op == token.QUO) && (p.sentInstant(v.X, depth+1) || p.sentInstant(v.Y, depth+1))
	case *ssa.Call:
		t, name := p.target(v)
		if !numberOf.MatchString(name) {
			return false
		}
		for _, a := range t.Args {
			if p.sentInstant(a, depth+1) {
				return true
			}
		}
	case *ssa.Slice:
		return p.sentElement(v, depth)
	}
	return false
}

// sentElement is sentInstant for the arguments of a variadic call.
func (p *program) sentElement(s *ssa.Slice, depth int) bool {
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *a.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			if st, ok := use.(*ssa.Store); ok && p.sentInstant(st.Val, depth+1) {
				return true
			}
		}
	}
	return false
}

// isDeadline reports whether a call asks a context for its deadline.
func isDeadline(c *ssa.Call) bool {
	f := ssawalk.Callee(c)
	return f != nil && f.Name() == "Deadline" && f.Signature().Recv() != nil && (typeset.IsContext(f.Signature().Recv().Type()) || typeset.ImplementsContext(f.Signature().Recv().Type()))
}
