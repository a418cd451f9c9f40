// Command recall measures what the rules miss. It breaks real modules on purpose, one site at a time, and counts how often
// the rules say so.
//
//	go run ./internal/recall [-n 300] [-misses] [-family core] [-at place] [module@version ...]
//
// A site is a call in which a context from a carrier in reach ends a wait, in a function about which the rules have nothing
// to say. Breaking it takes the context away: by a root in its place, by the form of the call that has no context, or by a
// root one or two calls above the wait. In the family waiting a site is a place where the code hears its context itself, and
// breaking it makes the code deaf. Mutants that do not compile are left out, and those that wait no longer, see harmless.go.
// Sites are taken by the order of their hashes, so that the choice is nobody's, and the same in every run.
//
// Modules come from the Go module proxy, at the versions in docs/precision/modules.txt, and are copied to where they can be
// main modules.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/doneby/doneby/passes/settings"
)

type options struct {
	sites   int
	list    string
	dir     string
	family  string
	rules   string
	kinds   string
	at      string
	misses  bool
	verbose bool
	workers int
	modules []string
}

func main() {
	var o options
	flag.IntVar(&o.sites, "n", 300, "`sites` to break")
	flag.StringVar(&o.list, "modules", "docs/precision/modules.txt", "`file` with a module@version on each line")
	flag.StringVar(&o.dir, "dir", defaultDir(), "`directory` for copies of the modules and for the cache")
	flag.StringVar(&o.family, "family", "core", "`family` of mutations: core or waiting")
	flag.StringVar(&o.rules, "rules", "", "the `rules` to run; none means those that are to find the family")
	flag.StringVar(&o.kinds, "kinds", "", "comma-separated `kinds` of mutation; none means all of the family")
	flag.StringVar(&o.at, "at", "", "regular `expression`: only sites whose place, module@version file:line:column, matches it")
	flag.BoolVar(&o.misses, "misses", false, "list what was not found")
	flag.BoolVar(&o.verbose, "v", false, "print each site as it is done")
	flag.IntVar(&o.workers, "p", 1, "`mutants` at a time")
	flag.Parse()
	o.modules = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(2)
	}
}

func defaultDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "doneby-recall")
}

func run(ctx context.Context, o options) error {
	fam, ok := families[o.family]
	if !ok {
		return fmt.Errorf("-family: there is no %q: give core or waiting", o.family)
	}
	o.rules = cmp.Or(o.rules, fam.rules)
	if o.kinds == "" {
		o.kinds = join(fam.kinds)
	}
	words, err := settings.ParseRules(o.rules)
	if err != nil {
		return fmt.Errorf("-rules: %w", err)
	}
	cfg := settings.Default()
	cfg.Rules = words
	at, err := regexp.Compile(o.at)
	if err != nil {
		return fmt.Errorf("-at: %w", err)
	}
	names := o.modules
	if len(names) == 0 {
		if names, err = readList(o.list); err != nil {
			return err
		}
	}
	var modules []*module
	var sites []*site
	for _, name := range names {
		m, err := fetch(ctx, o.dir, name)
		if err != nil {
			return err
		}
		found, err := m.sites(ctx, cfg.Knowledge())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(os.Stderr, "recall: %s: %d lines, sites:%s\n", name, m.lines, census(found))
		modules = append(modules, m)
		sites = append(sites, wanted(found, o.kinds, at)...)
	}
	sortByHash(sites)
	b := &bench{cfg: cfg, cache: filepath.Join(o.dir, "findings"), options: o}
	for _, m := range modules {
		if !slices.ContainsFunc(sites, func(s *site) bool { return s.module == m }) {
			continue // nothing to break
		}
		if err := b.baseline(ctx, m); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	results, err := b.breakAll(ctx, sites)
	if err != nil {
		return err
	}
	report(os.Stdout, modules, results, o.misses)
	return nil
}

// wanted keeps the sites of the kinds asked for, in the places asked for.
func wanted(sites []*site, names string, at *regexp.Regexp) []*site {
	asked := strings.Split(names, ",")
	return slices.DeleteFunc(sites, func(s *site) bool {
		return !slices.Contains(asked, string(s.kind)) || !at.MatchString(s.place())
	})
}

func join(kinds []kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ",")
}

// census says how many sites of each kind there are.
func census(sites []*site) string {
	n := map[kind]int{}
	for _, s := range sites {
		n[s.kind]++
	}
	var said string
	for _, k := range allKinds() {
		said += fmt.Sprintf(" %s %d", k, n[k])
	}
	return said
}
