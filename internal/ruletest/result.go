package ruletest

import (
	"fmt"
	"go/token"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
)

// result is what the analyzers said about one program.
type result struct {
	found []finding
	facts []fact
	edits []edit // of the first fix of each finding
}

type finding struct {
	file      string
	line, col int
	rule      string
	kind      string // the fragment of its URL
	message   string
	related   []string // "store/store.go:3:5: then (*sql.DB).Query"
}

// fact is a fact about an object declared on a line.
type fact struct {
	file string
	line int
	name string
	text string
}

// edit replaces a part of a file's source.
type edit struct {
	file       string
	start, end int
	text       string
}

// gatherer sorts what the analyzers said by program.
type gatherer struct {
	bad    *problems
	readme string
	fset   *token.FileSet
	// at finds program and file by the file's name in the scratch module.
	at  map[string]place
	res map[*program]*result
}

type place struct {
	program *program
	file    *file
}

func gather(bad *problems, readme string, fset *token.FileSet, dir string, programs []*program, graph *checker.Graph) map[*program]*result {
	g := &gatherer{bad: bad, readme: readme, fset: fset, at: map[string]place{}, res: map[*program]*result{}}
	for _, p := range programs {
		g.res[p] = &result{}
		for _, f := range p.files {
			g.at[filepath.Join(dir, p.dir(), filepath.FromSlash(f.name))] = place{p, f}
		}
	}
	for act := range graph.All() {
		if act.Err != nil {
			bad.addf("%s: %v", act, act.Err)
			continue
		}
		for _, f := range act.AllObjectFacts() {
			if pl, pos, ok := g.position(f.Object.Pos()); ok && f.Object.Pkg() == act.Package.Types {
				r := g.res[pl.program]
				r.facts = append(r.facts, fact{pl.file.name, pos.Line, f.Object.Name(), fmt.Sprint(f.Fact)})
			}
		}
	}
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			g.add(act.Analyzer, d)
		}
	}
	for _, r := range g.res {
		sort.SliceStable(r.found, func(i, j int) bool {
			a, b := r.found[i], r.found[j]
			if a.file != b.file {
				return a.file < b.file
			}
			return a.line < b.line || a.line == b.line && a.col < b.col
		})
	}
	return g.res
}

// position returns where pos lies; its column is the one in the README.
func (g *gatherer) position(pos token.Pos) (place, token.Position, bool) {
	p := g.fset.Position(pos)
	pl, ok := g.at[p.Filename]
	if ok && p.Line == 1 {
		p.Column -= pl.program.shift(pl.file)
	}
	return pl, p, ok
}

func (g *gatherer) add(a *analysis.Analyzer, d analysis.Diagnostic) {
	pl, pos, ok := g.position(d.Pos)
	if !ok {
		g.bad.addf("%s: a finding outside the programs: %s", g.fset.Position(d.Pos), d.Message)
		return
	}
	for _, err := range conventions(a, d) {
		g.bad.addf("%s:%d: %s: %q: %v", g.readme, pl.file.line+pos.Line-1, a.Name, d.Message, err)
	}
	_, kind, _ := strings.Cut(d.URL, "#")
	f := finding{file: pl.file.name, line: pos.Line, col: pos.Column, rule: a.Name, kind: kind, message: d.Message}
	for _, r := range d.Related {
		rpl, rpos, ok := g.position(r.Pos)
		if !ok || rpl.program != pl.program {
			g.bad.addf("%s:%d: related position outside the program: %s", g.readme, pl.file.line+pos.Line-1, g.fset.Position(r.Pos))
			continue
		}
		f.related = append(f.related, fmt.Sprintf("%s:%d:%d: %s", rpl.file.name, rpos.Line, rpos.Column, r.Message))
	}
	r := g.res[pl.program]
	r.found = append(r.found, f)
	if len(d.SuggestedFixes) == 0 {
		return
	}
	for _, e := range d.SuggestedFixes[0].TextEdits {
		epl, _, ok := g.position(e.Pos)
		if !ok || epl != pl {
			g.bad.addf("%s:%d: a fix edits another file than the finding's", g.readme, pl.file.line+pos.Line-1)
			continue
		}
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		r.edits = append(r.edits, edit{epl.file.name, g.fset.Position(e.Pos).Offset, g.fset.Position(end).Offset, string(e.NewText)})
	}
}

// print writes the findings as the command does.
func (r *result) print() string {
	var b strings.Builder
	for _, f := range r.found {
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", f.file, f.line, f.col, f.rule, f.message)
		for _, rel := range f.related {
			fmt.Fprintf(&b, "\t%s\n", rel)
		}
	}
	return b.String()
}
