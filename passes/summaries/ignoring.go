package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// A function that is given a context by name, waits for another goroutine and never uses the context has no excuse in what nobody can
// tell: that some other context may close the channel, that what the other side runs may be quick.

// ignoresContext reports whether a declared function has a context parameter with a name and never uses it.
func ignoresContext(fn *ssa.Function) bool {
	if fn.Parent() != nil || len(fn.Blocks) == 0 {
		return false
	}
	for _, p := range fn.Params {
		if typeset.IsContext(p.Type()) && p.Object() != nil && p.Name() != "_" && p.Name() != "" {
			return len(*p.Referrers()) == 0
		}
	}
	return false
}

// untold reports whether a runner that feeds the wait of a function which ignores its context goes round until some other context is over,
// or was given to others with such a one, or runs something out of sight that can fail and is given no context: a function value, a method of an interface, a read from whatever
// is behind a buffer.
func (d *deaf) untold(w *channels.Wait, p runner) bool {
	if !ignoresContext(w.Fn) {
		return false
	}
	if outer(p.fn, w.Fn) == nil && !d.afterOrder(w) && (listensAround(p.fn) || d.givenWithContext(p.fn)) {
		return true
	}
	for c := range ssawalk.Calls(p.fn) {
		if _, plain := c.(*ssa.Call); plain && d.outOfSight(c.Common()) {
			return true
		}
	}
	return false
}

// listensAround reports whether a function hears a context in a loop.
func listensAround(fn *ssa.Function) bool {
	for c := range ssawalk.Calls(fn) {
		if asksEnd(c) && channels.LoopOf(c.Block()) != nil {
			return true
		}
	}
	return false
}

func (d *deaf) outOfSight(c *ssa.CallCommon) bool {
	if !typeset.ReturnsError(c.Signature()) {
		return false
	}
	for _, a := range c.Args {
		if typeset.ImplementsContext(a.Type()) || typeset.IsRequest(a.Type()) {
			return false // it may end by that
		}
	}
	if callee := c.StaticCallee(); callee != nil {
		return callee.Pkg != nil && (callee.Pkg.Pkg.Path() == "bufio" || callee.Pkg.Pkg.Path() == "io")
	}
	targets, all := d.r.ctx.Targets(c)
	return !all || len(targets) == 0 || slices.ContainsFunc(targets, func(t contexts.Target) bool { return t.Fn == nil })
}
