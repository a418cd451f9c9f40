package accepts

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
)

// A deadline that a function sets and clears again holds for what it reads in between, such as the body of a message. What was read of the
// connection before has none: the line by which the message is asked for.

// setsDeadlines reports whether the package sets a deadline on any connection but those that it dials itself, and lets it stand. It notes
// the functions that set one briefly, and clear it again.
func (p *program) setsDeadlines() bool {
	for _, fn := range p.ir.Funcs {
		if p.ir.InTest(fn) {
			continue
		}
		for call := range ssawalk.Calls(fn) {
			switch called(call) {
			case "SetDeadline", "SetReadDeadline", "SetReadTimeout", "SetTimeout":
				if p.dialled(ssawalk.Resolve(call).Recv) {
					continue
				}
				if !clearedIn(call) {
					return true
				}
				p.brief[fn] = true
			}
			if t, row, ok := p.row(call.Common()); ok && row.Verb == knowledge.Bounds && row.Ctx.IsSet() && row.On.IsSet() && !p.dialled(t.At(row.On)) {
				return true // a context's deadline becomes the connection's
			}
		}
	}
	return false
}

// clearedIn reports whether a deadline is cleared again in the function that sets it, or is cleared there itself.
func clearedIn(set ssa.CallInstruction) bool {
	sets, clears := false, false
	for c := range ssawalk.Calls(set.Parent()) {
		if called(c) != called(set) {
			continue
		}
		if ssawalk.IsZeroTime(ssawalk.Resolve(c).Arg(0)) {
			clears = true
		} else {
			sets = true
		}
	}
	return sets && clears
}

// bounded reports whether a connection may have a brief deadline where it is read, or has had one on its way there: what is read in a
// session that begins with a bounded handshake is meant to wait.
func (f *following) bounded(way []ssa.Instruction) bool {
	for _, at := range way {
		if f.p.brief[at.Parent()] {
			return true
		}
		for c := range ssawalk.Calls(at.Parent()) {
			if ssawalk.Before(c, at) && f.p.bounds(c.Common().StaticCallee(), 0) {
				return true
			}
		}
	}
	return false
}

// maxBriefDepth is through how many calls a brief deadline is looked for.
const maxBriefDepth = 3

// bounds reports whether a function, or one that it calls, sets a brief deadline.
func (p *program) bounds(fn *ssa.Function, depth int) bool {
	if fn == nil || depth > maxBriefDepth {
		return false
	}
	return p.brief[fn] || slices.ContainsFunc(slices.Collect(ssawalk.Calls(fn)), func(c ssa.CallInstruction) bool {
		return p.bounds(c.Common().StaticCallee(), depth+1)
	})
}
