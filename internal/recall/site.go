package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/entrypoints"
)

// kind is a way to break a site.
type kind string

const (
	argument kind = "argument" // f(ctx) → f(context.Background()), where f waits
	twin     kind = "twin"     // XContext(ctx, …) → X(…)
	timeout  kind = "timeout"  // WithTimeout(ctx, d) → WithTimeout(context.Background(), d)
	request  kind = "request"  // NewRequestWithContext(ctx, …) → NewRequest(…)
	oneUp    kind = "one-up"   // the context of a call one above the wait → context.Background()
	twoUp    kind = "two-up"   // the same, two above

	deaf     kind = "deaf"     // select with Done and one other case → that case alone
	sleep    kind = "sleep"    // select with Done and time.After → time.Sleep
	untested kind = "untested" // the only look at Err in a loop taken out
	option   kind = "option"   // retry.Context, backoff.WithContext taken out
	ended    kind = "ended"    // the context of a group used after its Wait
)

// families are the kinds of mutation that are measured together, and the rules that are to find them.
var families = map[string]family{
	"core":    {[]kind{argument, twin, timeout, request, oneUp, twoUp}, "+ctxless,+detached,+unbounded,+fixedtimeout"},
	"waiting": {[]kind{deaf, sleep, untested, option, ended}, "+blindretry,+deafwait,+deafctx,+orphan,+stalework"},
}

// allKinds lists the kinds of all families, in the order of reports.
func allKinds() []kind { return slices.Concat(families["core"].kinds, families["waiting"].kinds) }

// family is what a run measures.
type family struct {
	kinds []kind
	rules string
}

// site is a call that can be broken in one way.
type site struct {
	module      *module
	kind        kind
	class       class // why the callee is taken to wait
	callee      string
	fn          string // the enclosing declared function
	file        string // absolute
	pkg         string // its import path
	line, col   int
	first, last int // the lines of the enclosing function
	edits       []edit
}

// place names the site as users see it.
func (s *site) place() string {
	rel, err := filepath.Rel(s.module.dir, s.file)
	if err != nil {
		rel = s.file
	}
	return fmt.Sprintf("%s %s:%d:%d", s.module.name, filepath.ToSlash(rel), s.line, s.col)
}

// sortByHash puts sites in an order that has nothing to do with what they are.
func sortByHash(sites []*site) {
	hash := make(map[*site][32]byte, len(sites))
	for _, s := range sites {
		hash[s] = sha256.Sum256([]byte(s.place() + " " + string(s.kind)))
	}
	slices.SortFunc(sites, func(a, b *site) int {
		x, y := hash[a], hash[b]
		return cmp.Or(slices.Compare(x[:], y[:]), strings.Compare(a.place(), b.place()))
	})
}

// sites finds what can be broken in the module.
func (m *module) sites(ctx context.Context, tables *knowledge.Tables) ([]*site, error) {
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx, Dir: m.dir, Mode: packages.LoadSyntax,
	}, "./...")
	if err != nil {
		return nil, err
	}
	var found []*site
	w := newWaits(tables)
	usable := slices.DeleteFunc(pkgs, func(p *packages.Package) bool { return len(p.Errors) > 0 || p.TypesInfo == nil })
	if len(usable) == 0 {
		return nil, errors.New("no package type-checks")
	}
	for _, p := range usable {
		w.own[p.PkgPath] = true
	}
	w.learn(usable)
	for _, p := range usable {
		if entrypoints.NamedForTests(p.Types) {
			continue // a test has a timeout of its own, and the rules leave it alone
		}
		for _, file := range p.Syntax {
			name := p.Fset.Position(file.Package).Filename
			if !strings.HasPrefix(name, m.dir) || strings.HasSuffix(name, "_test.go") || ast.IsGenerated(file) || entrypoints.ImportsTestLibrary(file) {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			m.lines += strings.Count(string(text), "\n")
			sites := w.fileSites(source{p.Fset, p.TypesInfo, p.Types, file, text})
			if len(sites) > 0 {
				m.files[name] = text
			}
			for _, s := range sites {
				s.module, s.file, s.pkg = m, name, p.PkgPath
			}
			found = append(found, sites...)
		}
	}
	return found, nil
}

func lineOf(fset *token.FileSet, pos token.Pos) int { return fset.Position(pos).Line }
