package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"os"
	"slices"
	"strings"
)

// A unit is one own package, or the variant of one that is compiled for a test.
type unit struct {
	*listed
	test bool    // a test variant: only what is found in its test files counts
	root bool    // was asked for; the others are analysed for their facts
	deps []*unit // the own packages that it imports, directly
	all  []*unit // and indirectly

	files    []string // the Go files, and what they hold
	contents [][]byte

	// What came out of it. Written by the worker that runs it; read by dependents, which start later.
	findings []Finding
	facts    []byte
	exported string // the hash of what importers see
	travel   string // the hash of what indirect importers see, their types aside
	ran      bool   // not taken from the cache
	problem  *Problem
	failed   string // the package or module that is to blame that this one was not analysed, or ""
}

// link finds the own packages that the unit imports.
func (u *unit) link(r *run) {
	for _, id := range u.Imports {
		if dep := r.units[id]; dep != nil && dep != u {
			u.deps = append(u.deps, dep)
		}
	}
	seen := map[*unit]bool{u: true}
	var add func(*unit)
	add = func(x *unit) {
		for _, id := range x.Imports {
			if dep := r.units[id]; dep != nil && !seen[dep] {
				seen[dep] = true
				add(dep)
				u.all = append(u.all, dep)
			}
		}
	}
	add(u)
	// The variant for a test knows more than the package itself, which is seen through others.
	slices.SortStableFunc(u.all, func(a, b *unit) int {
		switch {
		case a.test && !b.test:
			return -1
		case b.test && !a.test:
			return 1
		}
		return 0
	})
}

// work analyses the unit, or takes it from the cache.
func (r *run) work(u *unit) {
	defer func() { u.contents = nil }()
	if u.failed != "" {
		return // and that was said
	}
	for _, dep := range u.deps {
		if dep.failed != "" {
			u.failed = dep.failed
			u.problem = &Problem{Package: u.ImportPath, Message: "not analysed because of " + dep.failed}
			return
		}
	}
	if err := u.read(r.o.Overlay); err != nil {
		u.fail(Problem{Package: u.ImportPath, Message: err.Error()})
		return
	}
	key := r.key(u)
	if e := r.store.get(key); e != nil {
		u.findings, u.facts, u.exported, u.travel = e.Findings, e.Facts, e.Exported, e.Travel
		u.place()
		return
	}
	if err := r.analyse(u); err != nil {
		u.fail(*err)
		return
	}
	if u.problem == nil { // what is not whole is not remembered
		r.store.put(key, &entry{Findings: u.findings, Facts: u.facts, Exported: u.exported, Travel: u.travel})
	}
	u.place()
}

// fail notes that the unit could not be analysed.
func (u *unit) fail(p Problem) {
	u.problem = &p
	u.failed = u.ImportPath
}

// read reads the files. They are read once: what is analysed is what the key was made from.
func (u *unit) read(overlay map[string][]byte) error {
	u.files = u.sources()
	for _, name := range u.files {
		if data, ok := overlay[name]; ok {
			u.contents = append(u.contents, data)
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		u.contents = append(u.contents, data)
	}
	return nil
}

// A checked is a unit in the form that analyzers want.
type checked struct {
	files []*ast.File
	pkg   *types.Package
	info  *types.Info
	im    *importer
}

// load parses and type-checks the unit.
func (r *run) load(u *unit) (*checked, *Problem) {
	c := &checked{im: r.importerFor(u)}
	var broken []string
	for i, name := range u.files {
		file, err := parser.ParseFile(r.fset, name, u.contents[i], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			broken = append(broken, scanErrors(err)...)
		}
		c.files = append(c.files, file)
	}
	if broken != nil {
		return nil, &Problem{Package: u.ImportPath, Message: "does not parse", Details: firstFew(broken)}
	}
	c.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{
		Importer: c.im.of(u.listed),
		Sizes:    r.sizes,
		Error: func(err error) {
			var te types.Error
			if errors.As(err, &te) && strings.HasPrefix(te.Msg, "\t") {
				return // the rest of the error before
			}
			broken = append(broken, typeError(err))
		},
	}
	if u.Module != nil && u.Module.GoVersion != "" {
		conf.GoVersion = "go" + u.Module.GoVersion
	}
	var err error
	c.pkg, err = conf.Check(u.path(), r.fset, c.files, c.info)
	if broken == nil && err != nil {
		broken = append(broken, typeError(err))
	}
	if broken == nil && u.Export == "" && u.Error != nil { // only the go command minds: an embedded file that is missing
		return nil, &Problem{Package: u.ImportPath, Message: "does not compile", Details: []string{where(u.Error) + firstLine(u.Error.Err)}}
	}
	if broken != nil {
		return nil, &Problem{Package: u.ImportPath, Message: "does not type-check", Details: firstFew(broken)}
	}
	return c, nil
}

// importerFor returns the importer for the unit: the shared one, unless it imports packages that are compiled for a test.
func (r *run) importerFor(u *unit) *importer {
	variant := ""
	for _, id := range u.Imports {
		if p := r.listed[id]; p != nil && p.ForTest != "" {
			variant = p.ForTest
		}
	}
	if variant == "" {
		return r.shared
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	im := r.importers[variant]
	if im == nil {
		im = newImporter(r.fset, func(path string) *listed {
			if p := r.listed[path+" ["+variant+".test]"]; p != nil {
				return p
			}
			return r.listed[path]
		})
		r.importers[variant] = im
	}
	return im
}

// export hashes what importers see of the unit: its API, its facts, and what they see through it of other packages.
func (r *run) export(u *unit, pkg *types.Package, facts *factSet) error {
	seen := make(map[string]*unit)
	for _, dep := range slices.Backward(u.all) { // what comes first counts
		seen[dep.path()] = dep
	}
	all, travelling := sha256.New(), sha256.New()
	mentioned := writeAPI(all, pkg, func(path string) bool { return seen[path] != nil })
	var err error
	if u.facts, err = encodeFacts(facts.own, all, travelling); err != nil {
		return err
	}
	for _, path := range mentioned {
		if dep := seen[path]; dep != nil {
			fmt.Fprintf(all, "own %q %s\n", path, dep.travel)
		} else {
			r.hashImport(all, path)
		}
	}
	u.exported = hex.EncodeToString(all.Sum(nil))
	u.travel = hex.EncodeToString(travelling.Sum(nil))
	return nil
}

func scanErrors(err error) []string {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []string{err.Error()}
	}
	var lines []string
	for _, e := range list {
		lines = append(lines, e.Error())
	}
	return lines
}

func typeError(err error) string {
	var te types.Error
	if errors.As(err, &te) {
		return fmt.Sprintf("%s: %s", te.Fset.Position(te.Pos), te.Msg)
	}
	return err.Error()
}

// firstFew keeps the first errors: what follows them mostly follows from them.
func firstFew(lines []string) []string {
	const few = 3
	if len(lines) <= few {
		return lines
	}
	return append(lines[:few:few], fmt.Sprintf("and %d more", len(lines)-few))
}
