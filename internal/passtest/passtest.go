// Package passtest runs a pass, and what it requires, over packages given as text: parsed and type-checked in memory, with
// facts carried from one to the next through their encoding. What they import of the standard library comes as export data,
// so that a run takes a fraction of a second.
package passtest

import (
	"bytes"
	"encoding/gob"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// Module is the path of the module to which all packages belong.
const Module = "example.com"

// Package is a package as text: files by name. Its path is below Module unless it is a whole one.
type Package struct {
	Path  string
	Files map[string]string
}

// One returns a package of one file.
func One(path, src string) Package {
	return Package{path, map[string]string{"a.go": src}}
}

// Result is what the analyzer made of one package.
type Result struct {
	Pass        *analysis.Pass // of the analyzer, with the results of what it requires
	Value       any
	Diagnostics []analysis.Diagnostic
	facts       *facts
}

// Facts returns, sorted, the facts that any analyzer of the run exported about objects of the package: "NAME: FACT".
func (r *Result) Facts() []string {
	var out []string
	for key, fact := range r.facts.objects {
		if key.obj.Pkg() != r.Pass.Pkg {
			continue
		}
		name := key.obj.Name()
		if fn, ok := key.obj.(*types.Func); ok && fn.Signature().Recv() != nil {
			name = types.TypeString(fn.Signature().Recv().Type(), types.RelativeTo(r.Pass.Pkg)) + "." + name
		}
		out = append(out, name+": "+factString(fact))
	}
	sort.Strings(out)
	return out
}

func factString(f analysis.Fact) string {
	if s, ok := f.(interface{ String() string }); ok {
		return s.String()
	}
	return reflect.TypeOf(f).Elem().Name()
}

// Run runs the analyzer over the packages in the order given, which is that of their imports.
func Run(t testing.TB, a *analysis.Analyzer, packages ...Package) []*Result {
	t.Helper()
	fset := token.NewFileSet()
	return RunWith(t, fset, importer.ForCompiler(fset, "gc", nil), a, packages...)
}

// RunWith is Run where the packages import others than those of the standard library: from has them all, with their positions
// in fset.
func RunWith(t testing.TB, fset *token.FileSet, from types.Importer, a *analysis.Analyzer, packages ...Package) []*Result {
	t.Helper()
	w := &world{
		fset:  fset,
		from:  from,
		own:   map[string]*types.Package{},
		facts: &facts{map[objectKey]analysis.Fact{}, map[packageKey]analysis.Fact{}},
	}
	var out []*Result
	for _, p := range packages {
		res, err := w.run(t, a, p)
		if err != nil {
			t.Fatalf("%s: %v", p.Path, err)
		}
		out = append(out, res)
	}
	return out
}

type world struct {
	fset  *token.FileSet
	from  types.Importer // of what is not own
	own   map[string]*types.Package
	facts *facts
}

// Import serves own packages from memory.
func (w *world) Import(path string) (*types.Package, error) {
	if p, ok := w.own[path]; ok {
		return p, nil
	}
	return w.from.Import(path)
}

func (w *world) run(t testing.TB, a *analysis.Analyzer, p Package) (*Result, error) {
	files, err := w.parse(p)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: w, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg, err := conf.Check(p.Path, w.fset, files, info)
	if err != nil {
		return nil, err
	}
	w.own[p.Path] = pkg
	r := &Result{facts: w.facts}
	done := map[*analysis.Analyzer]*analysis.Pass{}
	var visit func(*analysis.Analyzer) (any, error)
	visit = func(a *analysis.Analyzer) (any, error) {
		pass := &analysis.Pass{
			Analyzer: a, Fset: w.fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: conf.Sizes,
			Module:   &analysis.Module{Path: Module},
			ResultOf: map[*analysis.Analyzer]any{},
			Report:   func(d analysis.Diagnostic) { r.Diagnostics = append(r.Diagnostics, d) },
		}
		w.facts.serve(t, pass)
		for _, req := range a.Requires {
			if done[req] == nil {
				v, err := visit(req)
				if err != nil {
					return nil, err
				}
				done[req].ResultOf[req] = v
			}
			pass.ResultOf[req] = done[req].ResultOf[req]
		}
		done[a] = pass
		return a.Run(pass)
	}
	r.Value, err = visit(a)
	r.Pass = done[a]
	return r, err
}

func (w *world) parse(p Package) ([]*ast.File, error) {
	var names []string
	for name := range p.Files {
		names = append(names, name)
	}
	sort.Strings(names)
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(w.fset, name, p.Files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

type objectKey struct {
	obj types.Object
	typ reflect.Type
}

type packageKey struct {
	pkg *types.Package
	typ reflect.Type
}

type facts struct {
	objects  map[objectKey]analysis.Fact
	packages map[packageKey]analysis.Fact
}

// serve gives the pass its functions about facts. A fact that another package reads has gone through gob, as it does between
// processes.
func (f *facts) serve(t testing.TB, pass *analysis.Pass) {
	pass.ExportObjectFact = func(obj types.Object, fact analysis.Fact) {
		if obj.Pkg() != pass.Pkg {
			t.Errorf("%s exports a fact about %v, which is not of %s", pass.Analyzer.Name, obj, pass.Pkg.Path())
		}
		f.objects[objectKey{obj, reflect.TypeOf(fact)}] = copied(t, fact)
	}
	pass.ImportObjectFact = func(obj types.Object, fact analysis.Fact) bool {
		return load(f.objects[objectKey{obj, reflect.TypeOf(fact)}], fact)
	}
	pass.ExportPackageFact = func(fact analysis.Fact) {
		f.packages[packageKey{pass.Pkg, reflect.TypeOf(fact)}] = copied(t, fact)
	}
	pass.ImportPackageFact = func(pkg *types.Package, fact analysis.Fact) bool {
		return load(f.packages[packageKey{pkg, reflect.TypeOf(fact)}], fact)
	}
	pass.AllObjectFacts = func() []analysis.ObjectFact { return nil }
	pass.AllPackageFacts = func() []analysis.PackageFact { return nil }
}

func load(from, to analysis.Fact) bool {
	if from == nil {
		return false
	}
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
	return true
}

func copied(t testing.TB, fact analysis.Fact) analysis.Fact {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(fact); err != nil && !strings.Contains(err.Error(), "no exported fields") {
		t.Errorf("%T cannot be encoded: %v", fact, err)
		return fact
	} else if err != nil {
		return fact // a fact that is only there or not
	}
	c := reflect.New(reflect.TypeOf(fact).Elem()).Interface().(analysis.Fact)
	if err := gob.NewDecoder(&buf).Decode(c); err != nil {
		t.Errorf("%T cannot be decoded: %v", fact, err)
	}
	return c
}
