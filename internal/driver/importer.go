package driver

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/gcexportdata"
)

// An importer reads export data. One serves all packages, so that a type is the same type wherever it is seen; a test
// from outside its package, whose imports are compiled anew for it, has its own.
type importer struct {
	fset *token.FileSet
	find func(path string) *listed

	// Reading export data adds to the packages that it mentions, so it is done by one at a time. A package that was
	// read whole is not added to any more, and may be used without the lock.
	mu   sync.Mutex
	pkgs map[string]*types.Package
	read map[string]bool // the packages whose facts are in facts

	factMu sync.RWMutex
	facts  map[factKey]analysis.Fact
}

func newImporter(fset *token.FileSet, find func(string) *listed) *importer {
	return &importer{
		fset: fset, find: find,
		pkgs: make(map[string]*types.Package), facts: make(map[factKey]analysis.Fact), read: make(map[string]bool),
	}
}

// load returns the package with that import path (not the path as the source has it).
func (im *importer) load(path string) (*types.Package, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.loadLocked(path)
}

func (im *importer) loadLocked(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := im.pkgs[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	p := im.find(path)
	if p == nil {
		return nil, errors.New("go list did not list it")
	}
	if p.Export == "" {
		if p.Error != nil {
			return nil, errors.New(firstLine(p.Error.Err))
		}
		return nil, errors.New("it could not be compiled")
	}
	f, err := os.Open(p.Export)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("its export data cannot be read: %w", err)
	}
	pkg, err := gcexportdata.Read(r, im.fset, im.pkgs, path)
	if err != nil {
		return nil, fmt.Errorf("its export data cannot be read: %w", err)
	}
	return pkg, nil
}

// of returns the types.Importer for the source of one package.
func (im *importer) of(p *listed) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) {
		id := p.resolve(path)
		id, _, _ = strings.Cut(id, " ")
		return im.load(id)
	})
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// firstLine returns the first line that says something: the go command puts the package's name before the compiler's
// words.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return strings.TrimSpace(s)
}
