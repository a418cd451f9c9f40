package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/doneby/doneby/internal/kinds"
)

// String says in one line what became of the site.
func (r result) String() string {
	head := fmt.Sprintf("%s %s(%s) %s in %s: ", r.kind, r.callee, r.class, r.place(), r.fn)
	switch {
	case r.missing:
		return head + "left out: " + r.why
	case len(r.found) == 0:
		return head + "MISSED"
	}
	f := r.found[0]
	by, _ := r.foundBy()
	return fmt.Sprintf("%sfound: %s: %s", head, by, f.Message)
}

// foundBy names the kind that found the site, and whether it is one aimed at the gate: such a one before one for audits, else the first
// in the order of the source.
func (r result) foundBy() (name string, gate bool) {
	best := r.found[0]
	for _, f := range r.found {
		if k, ok := kinds.Lookup(f.Rule, f.Kind); ok && k.Aim == kinds.Gate {
			best, gate = f, true
			break
		}
	}
	return best.Rule + "/" + best.Kind, gate
}

// count is how many of how many were found.
type count struct{ found, all int }

func (c *count) add(r result) {
	c.all++
	if len(r.found) > 0 {
		c.found++
	}
}

func (c count) percent() string {
	if c.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(c.found)/float64(c.all))
}

// report prints found and not found, by kind, by why the callee is taken to wait, and by module; then the misses.
func report(w io.Writer, modules []*module, results []result, misses bool) {
	var total count
	atGate := 0
	byKind, byClass, byModule, byRule := map[kind]*count{}, map[class]*count{}, map[*module]*count{}, map[string]int{}
	for _, r := range results {
		total.add(r)
		tally(byKind, r.kind).add(r)
		tally(byClass, r.class).add(r)
		tally(byModule, r.module).add(r)
		if len(r.found) > 0 {
			name, gate := r.foundBy()
			byRule[name]++
			if gate {
				atGate++
			}
		}
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	row := func(name string, c *count) {
		if c != nil {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\n", name, c.all, c.found, c.all-c.found, c.percent())
		}
	}
	fmt.Fprintln(t, "kind\tsites\tfound\tmissed\trecall")
	for _, k := range allKinds() {
		row(string(k), byKind[k])
	}
	row("all", &total)
	fmt.Fprintln(t, "\t\t\t\t\ncallee\tsites\tfound\tmissed\trecall")
	for _, c := range []class{byTable, bySignature, byHelper, byContext} {
		row(string(c), byClass[c])
	}
	fmt.Fprintln(t, "\t\t\t\t\nmodule\tsites\tfound\tmissed\trecall")
	for _, m := range modules {
		row(m.name, byModule[m])
	}
	fmt.Fprintln(t, "\t\t\t\t\nfound by\t\t\t\t")
	for _, rule := range slices.Sorted(maps.Keys(byRule)) {
		fmt.Fprintf(t, "%s\t\t%d\t\t\n", rule, byRule[rule])
	}
	fmt.Fprintf(t, "by a kind aimed at the gate\t%d\t%d\t%d\t%s\n", total.all, atGate, total.all-atGate, count{atGate, total.all}.percent())
	t.Flush()
	if misses {
		listMisses(w, results)
	}
}

func tally[K comparable](m map[K]*count, k K) *count {
	if m[k] == nil {
		m[k] = new(count)
	}
	return m[k]
}

// listMisses prints each site that was not found with the line as it was broken.
func listMisses(w io.Writer, results []result) {
	for _, k := range allKinds() {
		for _, r := range results {
			if r.kind != k || len(r.found) > 0 {
				continue
			}
			fmt.Fprintf(w, "\n%s %s in %s: %s (%s)\n\t%s\n", r.kind, r.place(), r.fn, r.callee, r.class, r.brokenLine())
		}
	}
}

// brokenLine returns the line of the site after the edits.
func (r result) brokenLine() []byte {
	lines := bytes.Split(apply(r.module.files[r.file], r.edits), []byte("\n"))
	if r.line > len(lines) {
		return nil
	}
	return bytes.TrimSpace(lines[r.line-1])
}
