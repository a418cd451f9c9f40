package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// started is how a function comes to run in a goroutine.
type started struct {
	at   site                // what starts the goroutine
	from ssa.CallInstruction // the same, or the call that leads to it, in the function that was asked about; nil when none does
	call site                // the call of the function itself, or what starts it
}

// startsCaller returns how g starts a goroutine that runs fn, itself or through others.
func (d *deaf) startsCaller(fn, g *ssa.Function, by started, depth int) started {
	if depth > maxClimb {
		return started{} // too far to be told
	}
	for _, s := range d.r.callers[fn] {
		up := by
		if depth == 0 {
			up.call = s
		}
		if up.at.in == nil && (d.spawns(s) || d.startsGiven(s, fn)) {
			up.at = s
		}
		switch {
		case s.fn == fn: // it calls itself
		case s.fn != g:
			if up = d.startsCaller(s.fn, g, up, depth+1); up.from != nil {
				return up
			}
		case up.at.in != nil:
			up.from = s.in
			return up
		}
	}
	return started{}
}

// addStart enters a verdict at the word go, or at the call that starts the goroutine.
func (r *Result) addStart(c *court, v Verdict, fn *ssa.Function, start ssa.CallInstruction) {
	v.Pos, v.In = startPos(start), fn
	if _, ok := start.(*ssa.Go); ok {
		r.deaf.shown[v.Pos] = span{pos: v.Pos, end: v.Pos + token.Pos(len("go"))}
	}
	c.add(v)
}

// startPos is where a verdict on a goroutine stands.
func startPos(start ssa.CallInstruction) token.Pos {
	if _, ok := start.(*ssa.Go); ok {
		return start.Pos()
	}
	return start.Common().Pos()
}
