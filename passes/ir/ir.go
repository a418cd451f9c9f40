// Package ir builds the SSA form of an own package: what every later pass walks over.
//
// It does what x/tools' buildssa does, but for two things. Packages that are not own get an empty result at once: what
// they do is told by the knowledge tables. And which calls never return is told by the tables (verb exits) and by the
// bodies of own functions alone, so that a function has the same blocks under every driver, also under those that never
// read the body of log.Fatal.
//
// It does not know of calls through function values that never return: these may return. A call of an interface's method that
// never returns ends the function that makes it, and no block in it.
package ir

import (
	"cmp"
	"go/ast"
	"go/types"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer builds the SSA form of the package.
var Analyzer = &analysis.Analyzer{
	Name:       "ir",
	Doc:        "build the SSA form of own packages\n\nFunctions that never return end their block under every driver alike.",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(noReturn)},
}

// Result is the SSA form of one package. Of a package that is not own it is empty: Pkg is nil.
type Result struct {
	policy.Mark
	Pkg   *ssa.Package
	Funcs []*ssa.Function // the functions of the source, literals included, also those of package variables, in source order

	once    sync.Once
	callers map[*ssa.Function][]ssa.CallInstruction
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

// Func returns the SSA form of a function or method, of this package or imported, or nil: of an instance it is the form
// of what was instantiated.
func (r *Result) Func(fn *types.Func) *ssa.Function {
	if r.Pkg == nil || fn == nil {
		return nil
	}
	return r.Pkg.Prog.FuncValue(fn.Origin())
}

// Instrs goes through all that the package does, the values of its variables included, its tests left out.
func (r *Result) Instrs() iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, fn := range append([]*ssa.Function{r.Pkg.Func("init")}, r.Funcs...) {
			if fn == nil || r.InTest(fn) {
				continue
			}
			for in := range ssawalk.Instrs(fn) {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// Callers returns the calls in the package, its tests left out, that can only run fn.
func (r *Result) Callers(fn *ssa.Function) []ssa.CallInstruction {
	r.once.Do(func() {
		r.callers = make(map[*ssa.Function][]ssa.CallInstruction)
		for _, from := range r.Funcs {
			if r.InTest(from) {
				continue
			}
			for call := range ssawalk.Calls(from) {
				if to := call.Common().StaticCallee(); to != nil {
					r.callers[to] = append(r.callers[to], call)
				}
			}
		}
	})
	return r.callers[fn]
}

// InTest reports whether the function stands in a _test.go file. Such code may read what is known of other code, and
// never feeds it: a package means the same with and without its tests.
func (r *Result) InTest(fn *ssa.Function) bool {
	for fn.Parent() != nil && fn.Parent().Pos().IsValid() { // the literal of a package variable stands in its own file
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if !fn.Pos().IsValid() {
		return false // the package initializer, a wrapper
	}
	return strings.HasSuffix(fn.Prog.Fset.PositionFor(fn.Pos(), false).Filename, "_test.go")
}

func run(pass *analysis.Pass) (*Result, error) {
	prog := ssa.NewProgram(pass.Fset, ssa.BuilderMode(0))
	prog.SetNoReturn(exits(pass))
	for _, p := range pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	return &Result{Pkg: pkg, Funcs: sourceFuncs(pass, pkg)}, nil
}

// sourceFuncs lists the functions that the source declares, each followed by its literals, and between them the literals of
// package variables: command tables, routes, handlers. These belong to no function but the package's initialisation.
func sourceFuncs(pass *analysis.Pass, pkg *ssa.Package) []*ssa.Function {
	var funcs []*ssa.Function
	var add func(*ssa.Function)
	add = func(fn *ssa.Function) {
		funcs = append(funcs, fn)
		for _, lit := range fn.AnonFuncs {
			add(lit)
		}
	}
	initial := slices.SortedFunc(slices.Values(pkg.Func("init").AnonFuncs), func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if fn := pkg.Prog.FuncValue(pass.TypesInfo.Defs[decl.Name].(*types.Func)); fn != nil {
					add(fn)
				}
			case *ast.GenDecl:
				for _, lit := range initial {
					if decl.Pos() <= lit.Pos() && lit.Pos() < decl.End() {
						add(lit)
					}
				}
			}
		}
	}
	return funcs
}
