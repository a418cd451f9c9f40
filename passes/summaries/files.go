package summaries

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// judgeFiles judges loops over files in which no round looks at the context in reach, and nothing hears it; and the calls of functions
// without a context that have such a loop, at the last call where one is in reach.
func (r *Result) judgeFiles(c *court, fn *ssa.Function) {
	reach := r.reach(fn)
	if len(reach) == 0 || r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) || r.flow.loose(fn) {
		return
	}
	for _, l := range r.loops.In(fn) {
		if work := r.filesIn(l); work != "" {
			pos, end := r.loopPos(l)
			v := r.verdict("deafctx", "files", Wait{Name: work, Src: pos, In: fn}, "loop", reach)
			v.End = end
			c.add(v)
		}
	}
	for call := range ssawalk.Calls(fn) {
		callee := call.Common().StaticCallee()
		if _, plain := call.(*ssa.Call); !plain || callee == nil || givenCarrier(r, call) {
			continue
		}
		if work := r.filesBelow(callee, 0); work != "" {
			v := r.verdict("deafctx", "files", Wait{Name: work, Src: call.Common().Pos(), In: fn}, "loop", reach)
			v.Via = callee.Name()
			c.add(v)
		}
	}
}

// filesIn returns the work of a loop over files that nobody ends, or "".
func (r *Result) filesIn(l *loops.Loop) string {
	if l.LooksIn() {
		return ""
	}
	work := ""
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := ssawalk.AsCall(in)
			if !ok {
				continue
			}
			if givenContext(call) {
				return "" // something in it is given the context
			}
			if name := fileWork(call); name != "" && work == "" && r.loops.Around(call) == l {
				work = name
			}
		}
	}
	return work
}

// maxFilesBelow is through how many functions a loop over files is looked for.
const maxFilesBelow = 2

// filesBelow returns the work of a loop over files in a function of this package that has no context in reach, or in one that it calls.
func (r *Result) filesBelow(fn *ssa.Function, depth int) string {
	if r.sums[fn] == nil || len(r.reach(fn)) > 0 || r.flow.cleanupFunc(fn) || depth > maxFilesBelow {
		return ""
	}
	for _, l := range r.loops.In(fn) {
		if work := r.filesIn(l); work != "" {
			return work
		}
	}
	for call := range ssawalk.Calls(fn) {
		callee := call.Common().StaticCallee()
		if _, plain := call.(*ssa.Call); !plain || callee == nil || callee == fn {
			continue
		}
		if work := r.filesBelow(callee, depth+1); work != "" {
			return work
		}
	}
	return ""
}

// givenCarrier reports whether a call hands on a context, or what has one.
func givenCarrier(r *Result, call ssa.CallInstruction) bool {
	return slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool { return r.ctx.Carries(a.Type()) })
}

// fileWork returns the name of a call that opens, reads or copies files, or "".
func fileWork(c ssa.CallInstruction) string {
	fn := ssawalk.Callee(c)
	if fn == nil || fn.Pkg() == nil || !isFileWork(fn) {
		return ""
	}
	return contexts.DisplayName(fn)
}

// fileWorks are the functions that go to a file, by their package.
var fileWorks = map[string][]string{
	"os":            {"Open", "OpenFile", "Create", "ReadFile", "WriteFile", "ReadDir", "Readdir", "Readdirnames"},
	"io/fs":         {"Info", "Open", "ReadFile", "ReadDir", "Stat", "WalkDir"},
	"path/filepath": {"Walk", "WalkDir"},
}

func isFileWork(fn *types.Func) bool { return slices.Contains(fileWorks[fn.Pkg().Path()], fn.Name()) }
