package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// judgeUnused judges a loop that does one thing after the other, each of which may fail, in a function that is handed a context and
// never looks at it: whoever cancels the call waits for the rest of the things. What each of them waits for is named by other rules.
func (r *Result) judgeUnused(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) || unnamedContext(fn) == nil && !ignoresContext(fn) {
		return // a test double; part of ending something; it is heard
	}
	for _, l := range r.loops.In(fn) {
		if l.Ring() || l.LooksIn() {
			continue
		}
		if work := r.itemWork(l); work != "" {
			pos, end := r.loopPos(l)
			v := r.verdict("deafctx", "unused", Wait{Name: work, Src: pos, In: fn}, "loop", nil)
			v.End, v.Subject = end, fn.Name()
			c.add(v)
			return // one a function
		}
	}
}

// itemWork returns the name of a call in a loop that may fail and may take its time, or "": of an interface's method, a function value, a
// file, or what is known to wait.
func (r *Result) itemWork(l *loops.Loop) string {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || !typeset.ReturnsError(call.Call.Signature()) || givenContext(call) || isErrorMethod(call) {
				continue
			}
			if call.Call.IsInvoke() {
				return contexts.DisplayName(call.Call.Method)
			}
			if call.Call.StaticCallee() == nil {
				return valueName(call.Call.Value)
			}
			if name := fileWork(call); name != "" {
				return name
			}
			if len(r.effects(l.Fn, call)) > 0 {
				return r.nameOf(call)
			}
		}
	}
	return ""
}

// isErrorMethod reports whether a call is of errors or fmt, which make errors and take no time, or of an encoder in memory.
func isErrorMethod(call *ssa.Call) bool {
	fn := ssawalk.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "errors", "fmt", "strconv", "strings", "bytes", "encoding/json", "net/url", "io":
		return true
	}
	return false
}
