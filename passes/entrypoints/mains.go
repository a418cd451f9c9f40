package entrypoints

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/words"
	"github.com/doneby/doneby/passes/ir"
)

// mains returns, for a package with a main, the functions that main and init reach by static calls, and those of them that only main
// calls and waits for. A package of another name may have a main too, one of the commands of a program that holds several.
func mains(tables *knowledge.Tables, funcs *ir.Result) (oneShot, foreground map[*ssa.Function]bool) {
	if funcs.Pkg.Func("main") == nil {
		return nil, nil
	}
	m := &mainWalk{tables: tables, funcs: funcs, reached: map[*ssa.Function]bool{}}
	for _, fn := range everything(funcs) {
		if fn.Parent() == nil && fn.Signature.Recv() == nil && isStart(fn) && !funcs.InTest(fn) {
			m.reach(fn)
		}
	}
	return m.reached, foregroundOf(funcs)
}

// isStart reports whether the runtime calls fn: main, an init, or the initialisation of the package's variables; or whether fn is by
// its name, cmdExport or exportCmd, one of the commands that main chooses from.
func isStart(fn *ssa.Function) bool {
	said := words.Of(fn.Name())
	return fn.Name() == "main" || fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#") ||
		len(said) > 1 && (said[0] == "cmd" || said[len(said)-1] == "cmd")
}

type mainWalk struct {
	tables  *knowledge.Tables
	funcs   *ir.Result
	reached map[*ssa.Function]bool
}

// reach follows calls and defers. What a go statement starts, or is registered, has a life of its own.
func (m *mainWalk) reach(fn *ssa.Function) {
	if fn == nil || fn.Pkg != m.funcs.Pkg || m.reached[fn] {
		return
	}
	m.reached[fn] = true
	for call := range ssawalk.Calls(fn) {
		if _, spawned := call.(*ssa.Go); spawned {
			continue
		}
		s := ssawalk.Resolve(call)
		m.reach(s.Fn)
		for i, arg := range s.Args {
			if !m.calledThere(s, i) {
				continue
			}
			f, _ := ssawalk.Function(arg)
			m.reach(f)
		}
	}
}

// calledThere reports whether the callee calls its parameter i before it returns, or its caller joins it: by the tables, or
// because an own function does nothing with it but call it.
func (m *mainWalk) calledThere(s ssawalk.Site, i int) bool {
	if row, ok := m.tables.Of(s.Func); ok {
		here := row.Verb == knowledge.Calls || row.Verb == knowledge.Spawns && row.Joined != ""
		return here && row.Func.Kind == knowledge.Param && row.Func.Index == i
	}
	if s.Fn == nil || s.Fn.Pkg != m.funcs.Pkg {
		return false
	}
	if s.Fn.Signature.Recv() != nil {
		i++
	}
	if i >= len(s.Fn.Params) {
		return false
	}
	return onlyCalled(s.Fn.Params[i])
}

// onlyCalled reports whether the function value p is called and nothing else.
func onlyCalled(p *ssa.Parameter) bool {
	called := false
	for _, ref := range *p.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			called = called || ref.Call.Value == p
		case *ssa.Defer:
			called = called || ref.Call.Value == p
		case *ssa.BinOp, *ssa.DebugRef: // compared with nil
		default:
			return false
		}
		if call, ok := ref.(ssa.CallInstruction); ok && passed(call, p) {
			return false
		}
	}
	return called
}

func passed(call ssa.CallInstruction, p ssa.Value) bool {
	for _, arg := range call.Common().Args {
		if arg == p {
			return true
		}
	}
	return false
}

// foregroundOf returns main, the functions that are called by main only, never by a go statement, and used in no other way,
// and the literals that these call where they are written.
func foregroundOf(funcs *ir.Result) map[*ssa.Function]bool {
	main := funcs.Pkg.Func("main")
	if main == nil {
		return nil
	}
	users := usersOf(funcs)
	found := map[*ssa.Function]bool{main: true}
	var literals func(fn *ssa.Function)
	literals = func(fn *ssa.Function) {
		for _, lit := range fn.AnonFuncs {
			if u := users[lit]; u.ok && len(u.from) == 1 && u.from[fn] {
				found[lit] = true
				literals(lit)
			}
		}
	}
	literals(main)
	for _, fn := range funcs.Funcs {
		u := users[fn]
		if fn.Parent() != nil || fn == main || !u.ok || len(u.from) == 0 {
			continue
		}
		only := true
		for from := range u.from {
			only = only && found[from] && ssawalk.Outermost(from) == main
		}
		if only {
			found[fn] = true
			literals(fn)
		}
	}
	return found
}

// users is how a function is used: called from where, and in the foreground only.
type users struct {
	from map[*ssa.Function]bool
	ok   bool
}

// usersOf looks at every mention of a function. One that is not a plain call or defer makes it unknown.
func usersOf(funcs *ir.Result) map[*ssa.Function]users {
	all := map[*ssa.Function]users{}
	use := func(fn, from *ssa.Function, ok bool) {
		u, seen := all[fn]
		if !seen {
			u = users{map[*ssa.Function]bool{}, true}
		}
		u.from[from] = true
		u.ok = u.ok && ok
		all[fn] = u
	}
	for _, fn := range everything(funcs) {
		if funcs.InTest(fn) {
			continue
		}
		for instr := range ssawalk.Instrs(fn) {
			call, isCall := instr.(ssa.CallInstruction)
			_, spawned := instr.(*ssa.Go)
			for i, op := range instr.Operands(nil) {
				f, ok := (*op).(*ssa.Function)
				if made, isClosure := (*op).(*ssa.MakeClosure); isClosure {
					f, ok = made.Fn.(*ssa.Function), true
				}
				if _, making := instr.(*ssa.MakeClosure); making || !ok {
					continue
				}
				callee := isCall && !spawned && i == 0 && call.Common().Value == *op
				use(ssawalk.Declared(f), fn, callee)
			}
		}
	}
	return all
}
