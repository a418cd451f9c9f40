// Package rowtest holds the knowledge tables against the analysis: every row is used. For a row it writes small programs in
// which the function is called, or the type used, with parameters of the right types; it runs the passes over them, and
// compares the verdicts with what the row promises (promises.go has the table). A row that nothing reads, under a name that
// the analysis never asks for, or with a key that means nothing there, is found this way. That the row itself is true is
// package check's matter.
//
// Not every row can be shown: a type that cannot be named, a handle that no row makes. Each such program is left out for a
// reason, and the test says how many there may be for each.
package rowtest

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/passtest"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// Libraries is the packages that rows are about, and whatever they import, read from export data.
type Libraries struct {
	Fset *token.FileSet
	Pkgs map[string]*types.Package
}

// Import serves the packages to a type checker.
func (l Libraries) Import(path string) (*types.Package, error) {
	if p := l.Pkgs[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s was not loaded", path)
}

// Report is what a run has shown.
type Report struct {
	Programs int
	Verbs    map[knowledge.Verb]int // programs, by verb
	Skips    map[string][]string    // programs left out, by reason: the row and what was to be shown
	Unused   []string               // rows that no program could show at all
}

// Hold fails when more programs are left out for a reason than most says, or other rows than unused could not be shown at all.
// Fewer are news too: then the numbers are to be lowered.
func (r Report) Hold(t *testing.T, most map[string]int, unused []string) {
	t.Helper()
	t.Logf("%d programs: %v", r.Programs, r.Verbs)
	for why, list := range r.Skips {
		if len(list) != most[why] {
			t.Errorf("left out because %s: %d programs, not %d:\n\t%s", why, len(list), most[why], strings.Join(list, "\n\t"))
		}
	}
	for why := range most {
		if len(r.Skips[why]) == 0 {
			t.Errorf("nothing is left out any more because %s: drop the number", why)
		}
	}
	if !slices.Equal(r.Unused, unused) {
		t.Errorf("not shown at all: %q, not %q", r.Unused, unused)
	}
}

// Run uses the rows and reports what they promise and the analysis does not say. known is every row that may serve to make
// or use a handle.
func Run(t *testing.T, libs Libraries, rows, known []knowledge.Row) Report {
	t.Helper()
	w := newWorld(libs.Pkgs, known)
	report := Report{Verbs: map[knowledge.Verb]int{}, Skips: map[string][]string{}}
	byPath := map[string][]knowledge.Row{}
	for _, row := range rows {
		byPath[row.ImportPath()] = append(byPath[row.ImportPath()], row)
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		for _, msg := range newProgram(w, path, byPath[path], &report).wrong(t, libs) {
			t.Error(msg)
		}
	}
	return report
}

// program is the package that uses the rows about one package.
type program struct {
	w       *world
	path    string
	imports *imports
	acts    []act
	body    strings.Builder
	report  *Report
	next    int
}

func newProgram(w *world, path string, rows []knowledge.Row, report *Report) *program {
	p := &program{w: w, path: path, imports: newImports(), report: report}
	for _, row := range rows {
		p.add(row)
	}
	return p
}

// act is a promise of a row, and the functions of the program that are to show it.
type act struct {
	promise promise
	m       maker
	name    string // the function that uses the row
	look    string // the function whose verdicts count
	alone   bool   // nothing else of the tables is called in it
}

// add writes the programs for a row; for a type that takes no time, for each of its methods.
func (p *program) add(row knowledge.Row) {
	before := len(p.acts)
	fn, isFunc := p.w.callee(row.Name)
	switch {
	case !isFunc && row.Verb == knowledge.None:
		for _, m := range p.w.methods(row.Name) {
			p.write(always, maker{row: row, fn: m})
		}
	case !isFunc && p.w.named(row.Name) != nil:
		p.all(maker{row: row}, promises[row.Verb])
	case !isFunc: // no call has the name
	default:
		p.all(maker{row: row, fn: fn}, append([]promise{always}, promises[row.Verb]...))
	}
	if len(p.acts) == before {
		p.report.Unused = append(p.report.Unused, row.Name)
	}
}

func (p *program) all(m maker, list []promise) {
	m.conn = p.w.connectable(m)
	for _, promise := range list {
		if promise.of(m) {
			p.write(promise, m)
		}
	}
}

// write writes one function, or notes why it cannot.
func (p *program) write(promise promise, m maker) {
	p.next++
	s := &scene{w: p.w, row: m.row, fn: m.fn, imports: p.imports, name: fmt.Sprintf("f%d", p.next), given: map[string]string{}}
	s.look = s.name
	if err := promise.write(s); err != nil {
		p.report.Skips[err.Error()] = append(p.report.Skips[err.Error()], m.row.Name+": "+promise.says)
		return
	}
	p.body.WriteString("// " + promise.says + "\n" + s.text() + "\n")
	m.opened = s.opened
	p.acts = append(p.acts, act{promise, m, s.name, s.look, s.handles == 0})
	p.report.Programs++
	p.report.Verbs[m.row.Verb]++
}

// wrong analyses the package and says what the analysis does not see as a row promises.
func (p *program) wrong(t *testing.T, libs Libraries) []string {
	t.Helper()
	if len(p.acts) == 0 {
		return nil
	}
	src := "package p\n\n" + p.imports.text(p.body.String()) + "\n" + p.body.String()
	res := passtest.RunWith(t, libs.Fset, libs, watch, passtest.One(passtest.Module+"/"+p.path, src))
	got := res[0].Value.(*seen)
	var out []string
	for _, a := range p.acts {
		if msg := a.wrong(got); msg != "" {
			row := a.m.row
			out = append(out, fmt.Sprintf("%s:%d: %s %s: %s: %s\n%s", row.File, row.Line, row.Name, row.Verb, a.promise.says, msg, p.source(a.name)))
		}
	}
	return out
}

// wrong says what is not as the row promises, or "".
func (a act) wrong(got *seen) string {
	if a.m.fn.obj != nil && calls(a) && !got.rows[a.name][a.m.row.Name] {
		return "the call does not find the row"
	}
	if a.m.row.Verb == knowledge.Enters && a.look != a.name && !got.entry[a.look] {
		return "the function is no entry point"
	}
	is, want := strings.Join(slices.Compact(got.verdicts[a.look]), " "), a.want()
	if is != want {
		return fmt.Sprintf("the verdict is %q, not %q", is, want)
	}
	named := a.m.row.Verb == knowledge.Waits && !a.m.row.Local && (a.m.fn.recv == nil || nameable(typeset.Receiver(a.m.fn.obj)))
	if want != "" && a.alone && named && got.waits[a.look][0] != contexts.DisplayName(a.m.fn.obj) {
		return fmt.Sprintf("the verdict is about %s", got.waits[a.look][0])
	}
	return ""
}

// want is the verdict promised. What imports a library for command lines or tests is run by a person, who sees it wait.
func (a act) want() string {
	want, path := a.promise.want(a.m), a.m.row.ImportPath()
	if strings.HasPrefix(want, "unbounded/") && (knowledge.IsCommandLibrary(path) || knowledge.IsTestLibrary(path)) {
		return "unbounded/oneshot"
	}
	rule, kind, ok := strings.Cut(want, "/")
	switch {
	case ok && knowledge.IsTestLibrary(path):
		return rule + "/test"
	case (kind == "root" || kind == "call") && knowledge.IsCommandLibrary(path) && rule != "blindretry":
		return rule + "/command"
	}
	return want
}

// calls reports whether the program calls the function, rather than implements or is one.
func calls(a act) bool { return a.m.row.Verb != knowledge.Enters || a.m.row.Func.IsSet() }

// source is the text of a function, for who has to find out what went wrong.
func (p *program) source(name string) string {
	_, text, _ := strings.Cut(p.body.String(), "\nfunc "+name+"(")
	text, _, _ = strings.Cut(text, "\n\n// ")
	return "func " + name + "(" + text
}
