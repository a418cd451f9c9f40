package budgets

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
)

// joins are the calls that wait for what runs beside.
var joins = map[string]bool{"(*sync.WaitGroup).Wait": true, "(*golang.org/x/sync/errgroup.Group).Wait": true}

// member is a function that runs beside, and the group that waits for it, nil when that cannot be told.
type member struct {
	fn    *ssa.Function
	group ssa.Value
}

// beside enters what runs side by side and is waited for, at each wait: the longest of its group.
func (s *spending) beside() {
	var members []member
	var waits []*ssa.Call
	for c := range ssawalk.Calls(s.fn) {
		if w, ok := c.(*ssa.Call); ok && joins[ssawalk.CalleeName(c)] {
			waits = append(waits, w)
		} else if m, ok := s.p.member(c); ok {
			members = append(members, m)
		}
	}
	for _, w := range waits {
		var most bill
		for _, m := range members {
			if m.group != groupOf(ssawalk.Resolve(w).Recv) && (m.group != nil || len(waits) > 1) {
				continue // another group's
			}
			most = most.or(s.p.billOf(m.fn))
			s.openUnder(m.fn)
		}
		s.add(s.weights, w.Block(), most)
	}
}

// openUnder notes which caps of the function a literal that runs beside may use up.
func (s *spending) openUnder(lit *ssa.Function) {
	for _, u := range s.p.uses(lit) {
		if inner := s.chain(u.under); inner != nil && u.time.Open {
			inner.open = true
		}
	}
}

// member returns the function that a call lets run beside: by a group's Go, or by a go statement whose function says Done.
func (p *program) member(c ssa.CallInstruction) (member, bool) {
	if g, ok := c.(*ssa.Go); ok {
		f, _ := ssawalk.Function(g.Call.Value)
		if f == nil {
			return member{}, false
		}
		for inner := range ssawalk.Calls(f) {
			if s := ssawalk.Resolve(inner); s.Name() == "(*sync.WaitGroup).Done" {
				group := groupOf(s.Recv)
				if _, given := group.(*ssa.Parameter); given {
					group = nil
				}
				return member{f, group}, true
			}
		}
		return member{}, false
	}
	targets, _ := p.ctx.Targets(c.Common())
	if len(targets) != 1 {
		return member{}, false
	}
	t := targets[0]
	row, ok := p.ctx.Row(t.Obj)
	if !ok || row.Verb != knowledge.Spawns || !joins[row.Joined] {
		return member{}, false
	}
	f, _ := ssawalk.Function(t.At(row.Func))
	return member{f, groupOf(t.Recv())}, f != nil
}

// groupOf returns what stands for a group: its variable, or the value that made it.
func groupOf(v ssa.Value) ssa.Value {
	if a := ssawalk.Variable(v); a != nil {
		return a
	}
	return ssawalk.Source(v)
}
