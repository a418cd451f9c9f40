package clocks

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// A struct that is written down and read back in one function, as to copy it in depth, comes back without the monotonic parts of its
// instants. Where the text goes elsewhere in between, nobody can tell whose clock it is read by.

var (
	encodes = regexp.MustCompile(`\.(?:Marshal|MarshalIndent)$|Encoder\)\.Encode$`)
	decodes = regexp.MustCompile(`\.Unmarshal$|Decoder\)\.Decode$`)
)

// trip returns what is known of a field of a local struct that is read back from what the same function has written down.
func (e *evaluation) trip(field *ssa.FieldAddr) (reading, bool) {
	to, ok := field.X.(*ssa.Alloc)
	if !ok {
		return none, false
	}
	back := e.p.codec(to, decodes)
	if back == nil || len(storesTo(to, field.Field)) > 0 {
		return none, false
	}
	for in := range ssawalk.Instrs(field.Parent()) {
		from, ok := in.(*ssa.Alloc)
		if !ok || from == to || !types.Identical(from.Type(), to.Type()) {
			continue
		}
		written := e.p.codec(from, encodes)
		vals := storesTo(from, field.Field)
		if written == nil || len(vals) == 0 || !ssawalk.Before(written, back) || !e.p.sameText(written, back) {
			continue
		}
		if r := e.all(vals); r.state == own {
			return reading{own, []*ssa.Call{written}}, true
		}
	}
	return none, false
}

// codec returns the only call that is given a struct as any, or nil when there is another or its name does not match.
func (p *program) codec(a *ssa.Alloc, names *regexp.Regexp) *ssa.Call {
	var found *ssa.Call
	for _, ref := range *a.Referrers() {
		v, ok := ref.(ssa.Value)
		if load, isLoad := ref.(*ssa.UnOp); isLoad && len(*load.Referrers()) == 1 {
			v, ok = (*load.Referrers())[0].(ssa.Value)
		}
		if _, boxed := v.(*ssa.MakeInterface); !ok || !boxed {
			continue
		}
		for _, use := range *v.Referrers() {
			c, ok := use.(*ssa.Call)
			if !ok || found != nil {
				return nil
			}
			if _, name := p.calls(&c.Call); !names.MatchString(name) {
				return nil
			}
			found = c
		}
	}
	return found
}

// storesTo lists what is stored to a field of a local struct.
func storesTo(a *ssa.Alloc, field int) (vals []ssa.Value) {
	for _, ref := range *a.Referrers() {
		f, ok := ref.(*ssa.FieldAddr)
		if !ok || f.Field != field {
			continue
		}
		for _, use := range *f.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == f {
				vals = append(vals, st.Val)
			}
		}
	}
	return vals
}

// sameText reports whether what one call wrote is what another reads: the bytes that it returned, or what is in the buffer over which both
// the encoder and the decoder were made.
func (p *program) sameText(written, back *ssa.Call) bool {
	w, _ := p.calls(&written.Call)
	b, _ := p.calls(&back.Call)
	if w.Recv() == nil {
		text, ok := ssawalk.Source(b.Param(0)).(*ssa.Extract)
		return ok && text.Tuple == ssa.Value(written) && b.Recv() == nil
	}
	over := func(v ssa.Value) ssa.Value {
		if c, ok := ssawalk.Source(v).(*ssa.Call); ok && strings.HasPrefix(calleeOf(c), "New") && len(c.Call.Args) == 1 {
			return ssawalk.Strip(c.Call.Args[0])
		}
		return nil
	}
	on := over(w.Recv())
	return on != nil && b.Recv() != nil && over(b.Recv()) == on
}

func calleeOf(c *ssa.Call) string {
	if fn := c.Call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}
