package ruletest

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// module is the path of the scratch module in which all programs of a README live.
const module = "readme.example"

// runtime is the import path of the runtime package.
const runtime = "github.com/doneby/doneby/deadline"

// load lays the programs over testdata/stubs as a module of their own and loads all of them at once; nothing is written, and
// the paths are the same each time, so that the build cache knows them again. Only the programs are read from source; what
// they import comes as export data, and is cut from the graph, since no analyzer may look into it.
func load(fset *token.FileSet, dir string, programs []*program) ([]*packages.Package, error) {
	overlay, err := modules()
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		for _, f := range p.files {
			overlay[filepath.Join(dir, p.dir(), filepath.FromSlash(f.name))] = []byte(p.source(f))
		}
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode:       packages.LoadSyntax | packages.NeedModule,
		Dir:        stubDir(),
		Fset:       fset,
		Env:        append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GO111MODULE=on"),
		BuildFlags: []string{"-mod=readonly"},
		Overlay:    overlay,
	}, "./"+filepath.Base(dir)+"/...")
	if err != nil {
		return nil, err
	}
	roots := map[*packages.Package]bool{}
	var errs []error
	for _, p := range pkgs {
		roots[p] = true
		for _, e := range p.Errors {
			if e.Kind != packages.ListError { // go list only repeats what the type checker says better
				errs = append(errs, e)
			}
		}
	}
	for _, p := range pkgs {
		for path, imp := range p.Imports {
			if !roots[imp] {
				delete(p.Imports, path)
			}
		}
	}
	return pkgs, errors.Join(errs...)
}

// modules returns the scratch module's go.mod and one for each stub, which is a module of its own: so the stubs' folders
// hold nothing but code, and to an analyzer they are third-party.
func modules() (map[string][]byte, error) {
	paths, err := stubs()
	if err != nil {
		return nil, err
	}
	const form = "module %s\n\ngo 1.24\n\n"
	overlay := map[string][]byte{}
	var require strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&require, "require %s %s\nreplace %[1]s => ./%[1]s\n", p, version(p))
		overlay[filepath.Join(stubDir(), filepath.FromSlash(p), "go.mod")] = fmt.Appendf(nil, form, p)
	}
	// The runtime package stands beside this module and needs none: programs have it as it is.
	fmt.Fprintf(&require, "require %s v0.0.0\nreplace %[1]s => ../../deadline\n", runtime)
	overlay[filepath.Join(stubDir(), "go.mod")] = fmt.Appendf(nil, form+"%s", module, require.String())
	return overlay, nil
}

var majorSuffix = regexp.MustCompile(`[/.]v([0-9]+)$`)

// version is one that the import path allows: v5.0.0 for …/v5.
func version(p string) string {
	if m := majorSuffix.FindStringSubmatch(p); m != nil {
		return "v" + m[1] + ".0.0"
	}
	return "v1.0.0"
}

// stubDir is testdata/stubs of this repository, which is found upwards from the test's own folder.
var stubDir = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		stubs := filepath.Join(dir, "testdata", "stubs")
		if _, err := os.Stat(filepath.Join(dir, "internal", "ruletest")); err == nil {
			return stubs
		}
		dir = filepath.Dir(dir)
	}
	return filepath.Join("testdata", "stubs")
})

// stubs lists the import paths below testdata/stubs.
var stubs = sync.OnceValues(func() ([]string, error) {
	var out []string
	root := stubDir()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(p))
		if rel = filepath.ToSlash(rel); !slices.Contains(out, rel) {
			out = append(out, rel)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
})

// stubNames maps package names to import paths, of the standard library and the stubs.
func stubNames() map[string]string {
	names := map[string]string{}
	for _, p := range std {
		names[path.Base(p)] = p
	}
	names[path.Base(runtime)] = runtime
	paths, _ := stubs() // an error comes back in load
	for _, p := range paths {
		files, _ := filepath.Glob(filepath.Join(stubDir(), filepath.FromSlash(p), "*.go"))
		for _, f := range files {
			if syntax, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly); err == nil {
				names[syntax.Name.Name] = p
			}
		}
	}
	return names
}
