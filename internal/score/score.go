package score

import (
	"slices"

	"github.com/doneby/doneby/internal/kinds"
)

// Finding is one line of output, in the original tree.
type Finding struct {
	Case, Side string // Side is bad or good
	File       string // slash-separated, below the side
	Line       int
	Rule       string
	Message    string
}

// rulesOf are the rules that fit the kinds whose name is not a rule's.
var rulesOf = map[string][]string{
	"noctx":  {"ctxless", "unbounded"}, // unbounded where nothing can be inherited
	"edge":   {"bareserver"},
	"wire":   {"lostdeadline"},
	"retry":  {"blindretry"},
	"budget": {"overbudget"},
}

// fits reports whether a finding of the rule names a bug of the kind. A rule that is not ours, another linter's, fits any.
func fits(rule, kind string) bool {
	if !kinds.Known(rule) {
		return true
	}
	if rules, ok := rulesOf[kind]; ok {
		return slices.Contains(rules, rule)
	}
	return rule == kind
}

// Row is the outcome of one case.
type Row struct {
	Case  Case
	Found bool      // a fitting rule spoke at a mark
	Bad   []Finding // what was said about the bad side
	Good  []Finding // what was said about the good side: false alarms
}

// Told reports whether the bug is told apart from its fix; of a precision case, whether nothing was said.
func (r Row) Told() bool { return (r.Found || r.Case.Kind == "") && len(r.Good) == 0 }

// Score judges the findings over the cases. Cases of the audit tier are judged by their good side only, unless audit is
// set: only an audit kind need report the bad one.
func Score(cases []Case, findings []Finding, audit bool) []Row {
	var rows []Row
	for _, c := range cases {
		row := Row{Case: c}
		for _, f := range findings {
			switch {
			case f.Case != c.Name:
				// another case's
			case f.Side == "bad":
				row.Bad = append(row.Bad, f)
				row.Found = row.Found || c.hit(f)
			case c.residual() && f.Rule == "lostdeadline":
				// an opt-in wire rule may speak here
			default:
				row.Good = append(row.Good, f)
			}
		}
		if c.Tier == string(kinds.Audit) && !audit && c.Kind != "" {
			row.Case.Kind, row.Found, row.Bad = skipped, false, nil
		}
		rows = append(rows, row)
	}
	return rows
}

// due reports whether a rule that is built can name the case's bug.
func (c Case) due() bool {
	return c.Kind != "" && c.Kind != skipped && slices.ContainsFunc(kinds.Rules, func(rule string) bool {
		return kinds.Built(rule) && fits(rule, c.Kind)
	})
}

// skipped is the kind of a row whose bad side is not asked for.
const skipped = "skipped"

// hit reports whether the finding in the bad side lies on a mark, or within the two lines around it, and its rule fits the
// case's kind, one that the case accepts, or the mark's.
func (c Case) hit(f Finding) bool {
	return slices.ContainsFunc(c.Marks, func(m Mark) bool {
		if f.File != m.File || f.Line < m.Line-2 || f.Line > m.Line+2 {
			return false
		}
		return fits(f.Rule, c.Kind) || fits(f.Rule, m.Kind) ||
			slices.ContainsFunc(c.AcceptKinds, func(k string) bool { return fits(f.Rule, k) })
	})
}
