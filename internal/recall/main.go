// Command recall measures what the rules miss. It breaks real modules on purpose, one site at a time, and counts how often
// the rules say so.
//
//	go run ./internal/recall [-n 300] [-misses] [module@version ...]
//
// A site is a call in which a context from a carrier in reach ends a wait, in a function about which the rules have nothing
// to say. Breaking it takes the context away: by a root in its place, by the form of the call that has no context, or by a
// root one or two calls above the wait. Mutants that do not compile are left out. Sites are taken by the order of their
// hashes, so that the choice is nobody's, and the same in every run.
//
// Modules come from the Go module proxy, at the versions in docs/precision/modules.txt, and are copied to where they can be
// main modules.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/doneby/doneby/passes/settings"
)

type options struct {
	sites   int
	list    string
	dir     string
	rules   string
	kinds   string
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
	flag.StringVar(&o.rules, "rules", "+ctxless,+detached,+unbounded,+fixedtimeout", "the `rules` to run")
	flag.StringVar(&o.kinds, "kinds", "", "comma-separated `kinds` of mutation; none means all")
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
	words, err := settings.ParseRules(o.rules)
	if err != nil {
		return fmt.Errorf("-rules: %w", err)
	}
	cfg := settings.Default()
	cfg.Rules = words
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
		sites = append(sites, wanted(found, o.kinds)...)
	}
	sortByHash(sites)
	b := &bench{cfg: cfg, cache: filepath.Join(o.dir, "findings"), options: o}
	for _, m := range modules {
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

// wanted keeps the sites of the kinds asked for.
func wanted(sites []*site, kinds string) []*site {
	if kinds == "" {
		return sites
	}
	var kept []*site
	for _, s := range sites {
		for k := range strings.SplitSeq(kinds, ",") {
			if s.kind == kind(k) {
				kept = append(kept, s)
			}
		}
	}
	return kept
}

// census says how many sites of each kind there are.
func census(sites []*site) string {
	n := map[kind]int{}
	for _, s := range sites {
		n[s.kind]++
	}
	var said string
	for _, k := range kinds {
		said += fmt.Sprintf(" %s %d", k, n[k])
	}
	return said
}
