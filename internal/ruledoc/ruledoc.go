// Package ruledoc reads the README of a rule, which is its specification, its test and its web page. What the README says
// once is taken from there: the analyzer's Doc, the command line's help, the tables in the documents, and the test.
//
// The form is fixed:
//
//	# unbounded
//
//	report waits that nothing ends
//
//	## Why
//	## Reported
//	## Reported across functions
//	## Not reported
//	## On purpose
//	## Limits
//
// A block of "go" is a program, "go fixed" is what the fixes make of the program before it, and "text" is what doneby says
// about it. Blocks of other languages are prose.
package ruledoc

import (
	"fmt"
	"strings"
)

// Headings are the sections of a rule's README, all of them, in this order.
var Headings = []string{"Why", "Reported", "Reported across functions", "Not reported", "On purpose", "Limits"}

// Doc is a README.
type Doc struct {
	Name     string // the heading on line 1
	Title    string // line 3: one sentence beginning with "report"
	Sections []Section
}

// Section is what stands under one heading.
type Section struct {
	Heading string
	Line    int
	Text    string // the prose, without the blocks
	Blocks  []Block
}

// Error says where a README is not in form.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// Parse reads a README; file is its name, for errors. It checks the form that every README has: name, title, closed
// fences, and that "go fixed" and "text" follow a "go" block. CheckRule checks what only a rule's README must have.
func Parse(file, text string) (*Doc, error) {
	p := &parser{file: file, lines: strings.Split(text, "\n")}
	if len(p.lines) < 3 || !strings.HasPrefix(p.lines[0], "# ") || p.lines[1] != "" || p.lines[2] == "" {
		return nil, &Error{file, 1, `a README begins with "# name", an empty line and a title`}
	}
	p.doc.Name = strings.TrimSpace(p.lines[0][2:])
	p.doc.Title = strings.TrimSuffix(strings.TrimSpace(p.lines[2]), ".")
	p.doc.Sections = []Section{{Line: 1}}
	if err := p.body(); err != nil {
		return nil, err
	}
	return &p.doc, nil
}

// CheckRule reports what the README of a rule must have and this one has not.
func (d *Doc) CheckRule(file string) error {
	if !strings.HasPrefix(d.Title, "report ") {
		return &Error{file, 3, `the title of a rule begins with "report"`}
	}
	got := d.Sections[1:]
	for i, want := range Headings {
		if i == len(got) {
			return &Error{file, got[max(0, i-1)].Line, fmt.Sprintf("the heading %q is missing after this section", want)}
		}
		if got[i].Heading != want {
			return &Error{file, got[i].Line, fmt.Sprintf("heading %q, where %q belongs", got[i].Heading, want)}
		}
	}
	if len(got) > len(Headings) {
		return &Error{file, got[len(Headings)].Line, fmt.Sprintf("heading %q is not one of a rule's", got[len(Headings)].Heading)}
	}
	return nil
}

// Section returns the section with that heading.
func (d *Doc) Section(heading string) (Section, bool) {
	for _, s := range d.Sections {
		if s.Heading == heading {
			return s, true
		}
	}
	return Section{}, false
}

// Blocks returns the blocks of all sections in order.
func (d *Doc) Blocks() []Block {
	var all []Block
	for _, s := range d.Sections {
		all = append(all, s.Blocks...)
	}
	return all
}

// Help returns the text of an Analyzer's Doc: the title and, after an empty line, the reason. It panics on a README that
// is not in form, which a rule's own test would have said before.
func Help(readme string) string {
	d, err := Parse("README.md", readme)
	if err != nil {
		panic(err)
	}
	why, ok := d.Section("Why")
	if !ok {
		return d.Title
	}
	return d.Title + "\n\n" + strings.TrimSpace(why.Text)
}
