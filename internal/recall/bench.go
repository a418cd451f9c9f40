package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/passes/settings"
)

// bench runs the rules over modules as they are, and broken.
type bench struct {
	options
	cfg   *settings.Config
	cache string
}

// finding is what makes two findings the same, before and after.
type finding struct {
	file          string
	line          int
	rule, message string
}

// result is what became of a site.
type result struct {
	*site
	found   []driver.Finding // the new ones
	missing bool             // does not compile, or its function is not clean: it does not count
	why     string           // why it does not count
}

func (b *bench) run(ctx context.Context, m *module, overlay map[string][]byte) (*driver.Report, error) {
	return driver.Run(ctx, driver.Options{
		Dir: m.dir, Config: b.cfg, Analyzers: analyzers.All, CacheDir: b.cache, Overlay: overlay, Listing: m.listing,
	})
}

// baseline runs the rules over the module as it is.
func (b *bench) baseline(ctx context.Context, m *module) error {
	r, err := b.run(ctx, m, nil)
	if err != nil {
		return err
	}
	m.before, m.spoken, m.broken = map[finding]bool{}, map[string][]int{}, map[string]bool{}
	for _, f := range r.Findings {
		m.before[keyOf(f)] = true
		m.spoken[f.File] = append(m.spoken[f.File], f.Line)
	}
	for _, p := range r.Problems {
		m.broken[p.Package] = true
		fmt.Fprintf(os.Stderr, "recall: %s: %s\n", m.name, p)
	}
	fmt.Fprintf(os.Stderr, "recall: %s: %d packages, %d findings\n", m.name, r.Packages, len(r.Findings))
	return nil
}

func keyOf(f driver.Finding) finding { return finding{f.File, f.Line, f.Rule, f.Message} }

// clean reports whether the rules have nothing to say about the site's function.
func (s *site) clean() bool {
	for _, line := range s.module.spoken[s.file] {
		if s.first <= line && line <= s.last {
			return false
		}
	}
	return true
}

// breakAll breaks sites in their order until as many as wanted count.
func (b *bench) breakAll(ctx context.Context, sites []*site) ([]result, error) {
	var counted []result
	for next := 0; next < len(sites) && len(counted) < b.options.sites; {
		batch := sites[next:min(next+max(b.workers, 1), len(sites))]
		next += len(batch)
		results := make([]result, len(batch))
		errs := make([]error, len(batch))
		var wg sync.WaitGroup
		for i, s := range batch {
			wg.Go(func() { results[i], errs[i] = b.breakOne(ctx, s) })
		}
		wg.Wait()
		for i, r := range results {
			if errs[i] != nil {
				return nil, errs[i]
			}
			if b.verbose {
				fmt.Fprintln(os.Stderr, "recall:", r)
			}
			if !r.missing && len(counted) < b.options.sites {
				counted = append(counted, r)
			}
		}
	}
	return counted, nil
}

// breakOne breaks one site and looks for what the rules say now that they did not say before.
func (b *bench) breakOne(ctx context.Context, s *site) (result, error) {
	res := result{site: s}
	if !s.clean() {
		res.missing, res.why = true, "its function has findings"
		return res, nil
	}
	m := s.module
	if m.broken[s.pkg] {
		res.missing, res.why = true, "its package cannot be analysed"
		return res, nil
	}
	r, err := b.run(ctx, m, map[string][]byte{s.file: apply(m.files[s.file], s.edits)})
	if err != nil {
		return res, err
	}
	for _, p := range r.Problems {
		if !m.broken[p.Package] {
			res.missing, res.why = true, strings.Join(append([]string{p.String()}, p.Details...), "; ")
			return res, nil
		}
	}
	for _, f := range r.Findings {
		if !m.before[keyOf(f)] {
			res.found = append(res.found, f)
		}
	}
	return res, nil
}
