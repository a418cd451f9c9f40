package ir_test

import (
	"go/types"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/ir"
)

// One load serves all tests: it checks the facts against the want comments, and its results are looked at one by one.
func TestIR(t *testing.T) {
	all := make(map[string]*ir.Result)
	for _, res := range analysistest.Run(t, analysistest.TestData(), ir.Analyzer, "exits/lib", "exits/top", "errors") {
		r := res.Result.(*ir.Result)
		name := res.Pass.Pkg.Path()
		if hasTests(res.Pass) {
			name += " with tests"
		}
		all[name] = r
	}
	top := all["exits/top with tests"]
	if top == nil || top.Pkg == nil {
		t.Fatalf("no result for exits/top with its tests: %v", all)
	}
	t.Run("exits", func(t *testing.T) { testExits(t, top) })
	t.Run("funcs", func(t *testing.T) { testFuncs(t, top) })
	t.Run("foreign", func(t *testing.T) { testForeign(t, all["errors"]) })
}

func hasTests(pass *analysis.Pass) bool {
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.File(f.Pos()).Name(), "_test.go") {
			return true
		}
	}
	return false
}

// testExits looks whether the call behind one that never returns is still there.
func testExits(t *testing.T, top *ir.Result) {
	want := map[string]bool{
		"Direct": false, "Method": false, "Instance": false, "Literal$1": false, "Returns": true, "TestX": false,
	}
	got := make(map[string]bool)
	for _, fn := range top.Funcs {
		if _, ok := want[fn.Name()]; ok {
			got[fn.Name()] = calls(fn, "After")
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("functions that reach a call of lib.After:\n got %v\nwant %v", got, want)
	}
}

// calls reports whether the function calls one of that name. Blocks that cannot be reached are gone when it is built.
func calls(fn *ssa.Function, name string) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == name {
				return true
			}
		}
	}
	return false
}

func testFuncs(t *testing.T, top *ir.Result) {
	var names []string
	for _, fn := range top.Funcs {
		name := fn.Name()
		if top.InTest(fn) {
			name += " (test)"
		}
		names = append(names, name)
		if obj, ok := fn.Object().(*types.Func); ok && top.Func(obj) != fn {
			t.Errorf("%s is not found by its object", fn)
		}
	}
	want := []string{"Direct", "Method", "Instance", "Literal", "Literal$1", "init$1", "init$1$1", "Returns", "TestX (test)", "helper (test)", "init$2 (test)"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("functions in source order:\n got %q\nwant %q", names, want)
	}
}

// testForeign: the standard library is not own, so its result is empty, and says so to whoever asks.
func testForeign(t *testing.T, res *ir.Result) {
	if res == nil {
		t.Fatal("no result for package errors")
	}
	if res.Pkg != nil || len(res.Funcs) != 0 || res.Func(nil) != nil {
		t.Errorf("package errors has a result: %+v", res)
	}
}
