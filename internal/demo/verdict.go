package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/gate"
	"github.com/doneby/doneby/internal/kinds"
)

// verdict is the plan held against the findings.
type verdict struct {
	found, missed, expected []entry // defects; expected are those of rules that are not built
	silent, wrong           []entry // idioms
	other                   []string
}

func (v verdict) right() bool { return len(v.missed)+len(v.wrong)+len(v.other) == 0 }

// compare looks for a finding on each planned line. A defect is found by its rule, and by its kind where the plan names
// one; an idiom is wrong when any rule speaks on its line. A finding on no planned line is one too many.
func compare(p *plan, dir string, findings []driver.Finding) verdict {
	var v verdict
	planned := map[int]bool{} // indices of findings
	for _, d := range p.defects {
		rule, kind, _ := strings.Cut(d.name, "/")
		hit := false
		for i, f := range findings {
			if gate.Path(dir, f.File) == d.file && f.Line == d.line && f.Rule == rule && (kind == "" || kind == f.Kind) && !planned[i] {
				planned[i], hit = true, true
				break
			}
		}
		switch {
		case hit:
			v.found = append(v.found, d)
		case kinds.Built(rule):
			v.missed = append(v.missed, d)
		default:
			v.expected = append(v.expected, d)
		}
	}
	for _, idiom := range p.idioms {
		wrong := false
		for _, f := range findings {
			wrong = wrong || gate.Path(dir, f.File) == idiom.file && f.Line == idiom.line
		}
		if wrong {
			v.wrong = append(v.wrong, idiom)
		} else {
			v.silent = append(v.silent, idiom)
		}
	}
	for i, f := range findings {
		if !planned[i] {
			v.other = append(v.other, fmt.Sprintf("%s:%d: %s/%s: %s", gate.Path(dir, f.File), f.Line, f.Rule, f.Kind, f.Message))
		}
	}
	return v
}

// print writes a line an entry and a line in all.
func (v verdict) print(w io.Writer) {
	section := func(title string, entries []entry) {
		if len(entries) == 0 {
			return
		}
		fmt.Fprintf(w, "\n%s\n", title)
		for _, e := range entries {
			fmt.Fprintf(w, "  %-38s %s:%d\n", e.name, e.file, e.line)
		}
	}
	section("found:", v.found)
	section("expected misses, of rules that are not built yet:", v.expected)
	section("idioms that are right, and silent:", v.silent)
	section("MISSED:", v.missed)
	section("WRONG, an idiom that is right was reported:", v.wrong)
	if len(v.other) > 0 {
		fmt.Fprintf(w, "\nMORE than was planted:\n  %s\n", strings.Join(v.other, "\n  "))
	}
	fmt.Fprintf(w, "\n%d defects: %d found, %d expected misses, %d missed; %d idioms: %d silent; %d findings more\n",
		len(v.found)+len(v.expected)+len(v.missed), len(v.found), len(v.expected), len(v.missed),
		len(v.silent)+len(v.wrong), len(v.silent), len(v.other))
}
