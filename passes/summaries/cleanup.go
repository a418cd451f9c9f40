package summaries

import (
	"golang.org/x/tools/go/ssa"
)

// cleansUp reports whether a call is part of ending something: deferred, in a deferred literal or a test's cleanup, in a
// function whose name says so or which only such places call, or a call of a function whose name says so.
func (f *flow) cleansUp(c ssa.CallInstruction) bool {
	if _, ok := c.(*ssa.Defer); ok {
		return true
	}
	return f.cleanupFunc(c.Parent()) || ending(calleeName(c))
}

// cleanupFunc reports whether all that fn does is part of ending something.
func (f *flow) cleanupFunc(fn *ssa.Function) bool {
	if yes, ok := f.cleanup[fn]; ok {
		return yes
	}
	f.cleanup[fn] = false // a ring of functions ends nothing
	yes := f.isCleanup(fn)
	f.cleanup[fn] = yes
	return yes
}

func (f *flow) isCleanup(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return f.cleanupLiteral(fn)
	}
	if ending(fn.Name()) {
		return true
	}
	callers := f.r.callers[fn]
	if fn.Object() == nil || fn.Object().Exported() || len(callers) == 0 {
		return false
	}
	for _, s := range callers {
		if _, ok := s.in.(*ssa.Defer); !ok && !f.cleanupFunc(s.fn) {
			return false
		}
	}
	return true
}

// cleanupLiteral reports whether a literal is deferred, or given to something that calls it at the end, or stands in a
// function that cleans up.
func (f *flow) cleanupLiteral(fn *ssa.Function) bool {
	if f.cleanupFunc(fn.Parent()) {
		return true
	}
	for _, mc := range closures(fn) {
		for _, ref := range *mc.Referrers() {
			if c, ok := ref.(ssa.CallInstruction); ok {
				if _, deferred := c.(*ssa.Defer); deferred || registersEnd(calleeName(c)) {
					return true
				}
			}
		}
	}
	return false
}

// registersEnd reports whether a function's name says that it keeps a function to be called at the end.
func registersEnd(name string) bool {
	switch name {
	case "Cleanup", "RegisterOnShutdown", "OnClose", "OnStop", "AddCleanup", "DeferCleanup":
		return true
	}
	return false
}

// closures returns the values that are made of a literal: closures, or the function itself when it captures nothing.
func closures(lit *ssa.Function) []ssa.Value {
	var out []ssa.Value
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			if mc, ok := in.(*ssa.MakeClosure); ok && mc.Fn == lit {
				out = append(out, mc)
			}
		}
	}
	if len(out) == 0 && lit.Referrers() != nil {
		out = append(out, lit)
	}
	return out
}
