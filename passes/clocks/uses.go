package clocks

import (
	"go/token"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// uses returns the uses of readings that lost their monotonic part, one for each place where they meet another.
func (p *program) uses() []Use {
	u := &collector{p: p, by: map[*ssa.Call]Use{}}
	for _, fn := range p.code.Funcs {
		if p.code.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.BinOp:
				u.binary(in)
			case ssa.CallInstruction:
				u.call(in)
			}
		}
	}
	out := make([]Use, 0, len(u.by))
	for _, use := range u.by {
		out = append(out, use)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Lost.Pos() < out[j].Lost.Pos() })
	return together(out)
}

// together makes one of the uses that meet at the same place: a field that several functions store to is one defect.
func together(uses []Use) []Use {
	var out []Use
	first := map[ssa.Instruction]int{}
	for _, use := range uses {
		if i, ok := first[use.At]; ok {
			out[i].Also = append(out[i].Also, use.Lost)
			continue
		}
		first[use.At] = len(out)
		out = append(out, use)
	}
	return out
}

// weight orders the uses of one reading: that as a deadline says most, a difference that nothing depends on least.
func (u Use) weight() int {
	switch {
	case u.Deadline:
		return 2
	case u.Decides:
		return 1
	}
	return 0
}

type collector struct {
	p  *program
	by map[*ssa.Call]Use
}

// binary is a comparison or difference of Unix numbers. Equal numbers are the same instant, by whatever clock.
func (u *collector) binary(v *ssa.BinOp) {
	switch v.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.SUB:
		if timely(v.X.Type()) {
			u.against(v, v.X, v.Y)
		}
	}
}

func (u *collector) call(c ssa.CallInstruction) {
	t, name := u.p.calls(c.Common())
	switch name {
	case "(time.Time).Sub", "(time.Time).Before", "(time.Time).After", "(time.Time).Compare":
		u.against(c, t.Recv(), t.Param(0))
		return
	case "time.Since", "time.Until":
		u.lost(c, u.p.read(t.Param(0)), false)
		return
	}
	if row, ok := u.p.ctx.Row(t.Obj); ok && row.Until.IsSet() {
		u.lost(c, u.p.read(t.At(row.Until)), true)
	}
}

// against looks at two readings that are set against each other. The one that was kept is to be changed, not the fresh one.
func (u *collector) against(at ssa.Instruction, x, y ssa.Value) {
	a, b := u.p.read(x), u.p.read(y)
	if a.state != own || b.state != own {
		return // one came from outside, and has no monotonic part to lose
	}
	a.lost, b.lost = u.inOrder(a.lost), u.inOrder(b.lost)
	switch {
	case len(a.lost) == 0:
		u.lost(at, b, false)
	case len(b.lost) == 0:
		u.lost(at, a, false)
	case u.fresh(at, a) && !u.fresh(at, b):
		u.lost(at, b, false)
	case u.fresh(at, b) && !u.fresh(at, a):
		u.lost(at, a, false)
	case a.lost[0].Pos() < b.lost[0].Pos():
		u.lost(at, a, false)
	default:
		u.lost(at, b, false)
	}
}

func (u *collector) inOrder(calls []*ssa.Call) []*ssa.Call {
	sort.Slice(calls, func(i, j int) bool { return calls[i].Pos() < calls[j].Pos() })
	return calls
}

// fresh reports whether a reading was taken in the function that uses it.
func (u *collector) fresh(at ssa.Instruction, r reading) bool {
	for _, c := range r.lost {
		if c.Parent() != at.Parent() {
			return false
		}
	}
	return true
}

// lost enters a use for each place where the part was left out; that as a deadline says most.
func (u *collector) lost(at ssa.Instruction, r reading, deadline bool) {
	if r.state != own {
		return
	}
	for _, c := range r.lost {
		t, _ := u.p.calls(&c.Call)
		deadline := deadline || u.p.paces(at)
		use := Use{Lost: c, How: nameOf(t.Obj), At: at, Deadline: deadline, Decides: deadline || u.p.decides(at)}
		if old, ok := u.by[c]; ok && old.weight() >= use.weight() {
			continue
		}
		u.by[c] = use
	}
}
