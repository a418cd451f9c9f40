package score

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Count is told of total.
type Count struct{ Told, Total int }

// Names of the rows of a Table that are not kinds of bugs.
const (
	Clean     = "good-sides"      // sides that must be silent
	Precision = "precision-cases" // of them, cases in which nothing is wrong
)

// Table is told apart by kind, with Clean and Precision beside the kinds.
type Table map[string]Count

// Tabulate counts the rows.
func Tabulate(rows []Row) Table {
	t := Table{}
	for _, r := range rows {
		t.add(Clean, len(r.Good) == 0)
		switch r.Case.Kind {
		case "":
			t.add(Precision, r.Told())
		case skipped:
		default:
			t.add(r.Case.Kind, r.Told())
		}
	}
	return t
}

func (t Table) add(name string, told bool) {
	c := t[name]
	c.Total++
	if told {
		c.Told++
	}
	t[name] = c
}

// Add adds another module's table.
func (t Table) Add(o Table) {
	for name, c := range o {
		t[name] = Count{t[name].Told + c.Told, t[name].Total + c.Total}
	}
}

// Write prints the table, a line a kind: "unbounded 7/8". Read reads it back.
func (t Table) Write(w io.Writer) error {
	for _, name := range slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	}) {
		if _, err := fmt.Fprintf(w, "%-16s %d/%d\n", name, t[name].Told, t[name].Total); err != nil {
			return err
		}
	}
	return nil
}

func rank(name string) int { return slices.Index([]string{Clean, Precision}, name) }

// Read reads a table; lines that begin with # are comments.
func Read(r io.Reader) (Table, error) {
	t := Table{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		var name string
		var c Count
		if _, err := fmt.Sscanf(text, "%s %d/%d", &name, &c.Told, &c.Total); err != nil {
			return nil, fmt.Errorf("line %d: %q is not `name told/total`", n, text)
		}
		t[name] = c
	}
	return t, lines.Err()
}

// Below lists where the table falls below the record: fewer told apart, or fewer cases.
func (t Table) Below(record Table) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		if got, want := t[name], record[name]; got.Told < want.Told || got.Total < want.Total {
			out = append(out, fmt.Sprintf("%s: %d/%d told apart, %d/%d in the record", name, got.Told, got.Total, want.Told, want.Total))
		}
	}
	return out
}

// Print writes what a person needs to work on: a line a case that is not told apart, with what was said instead. Bugs that
// no rule yet built can name are left out.
func Print(w io.Writer, rows []Row) {
	for _, r := range rows {
		word := cmp.Or(r.Case.Kind, "precision")
		if r.Case.due() && !r.Found {
			fmt.Fprintf(w, "%-44s %-13s missed", r.Case.Name, word)
			for _, m := range r.Case.Marks {
				fmt.Fprintf(w, " %s:%d", m.File, m.Line)
			}
			fmt.Fprintln(w)
			for _, f := range r.Bad {
				fmt.Fprintf(w, "\tinstead %s\n", f)
			}
		}
		for _, f := range r.Good {
			fmt.Fprintf(w, "%-44s %-13s false alarm %s\n", r.Case.Name, word, f)
		}
	}
}

func (f Finding) String() string {
	return fmt.Sprintf("%s/%s:%d: %s: %s", f.Side, f.File, f.Line, f.Rule, f.Message)
}

// Raise returns the record after the table: each kind only goes up.
func (t Table) Raise(record Table) Table {
	out := maps.Clone(t)
	for name, want := range record {
		if got := out[name]; got.Told < want.Told || got.Total < want.Total {
			out[name] = Count{max(got.Told, want.Told), max(got.Total, want.Total)}
		}
	}
	return out
}
