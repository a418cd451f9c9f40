package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// planName is the file that says what is wrong with the demo.
const planName = "DEFECTS.md"

// entry is one row of the plan: a defect or an idiom.
type entry struct {
	name string // rule or rule/kind; of an idiom what it is called
	file string
	line int
	code string // what stands on that line, and on no other of the file
	row  int    // the line in the plan
}

// plan is what is planted in the demo.
type plan struct{ defects, idioms []entry }

var rowForm = regexp.MustCompile("^\\| (.+?) \\| `([^`:]+):(\\d+)` \\| `([^`]+)` \\| .+ \\|$")

// readPlan reads the plan of the demo in dir, and checks that each row's code stands where the row says.
func readPlan(dir string) (*plan, error) {
	text, err := os.ReadFile(filepath.Join(dir, planName))
	if err != nil {
		return nil, err
	}
	p, err := parsePlan(string(text))
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, e := range slices.Concat(p.defects, p.idioms) {
		line, err := e.find(dir)
		if err == nil && line != e.line {
			err = fmt.Errorf("%s:%d: the code stands on line %d of %s, not %d: run go test ./internal/demo -update", planName, e.row, line, e.file, e.line)
		}
		errs = append(errs, err)
	}
	return p, errors.Join(errs...)
}

func parsePlan(text string) (*plan, error) {
	p := &plan{}
	into := (*[]entry)(nil)
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "## Defects":
			into = &p.defects
		case line == "## Idioms that are right":
			into = &p.idioms
		case !strings.HasPrefix(line, "|"), strings.HasPrefix(line, "|---"), strings.HasSuffix(line, "| where | code | what ends the wait |"):
			// prose, or a table's head
		default:
			m := rowForm.FindStringSubmatch(line)
			if m == nil || into == nil {
				return nil, fmt.Errorf("%s:%d: a row is | name | `file:line` | `code` | what ends the wait |", planName, i+1)
			}
			n, err := strconv.Atoi(m[3])
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", planName, i+1, err)
			}
			*into = append(*into, entry{m[1], m[2], n, m[4], i + 1})
		}
	}
	return p, nil
}

// find returns the line on which the entry's code stands.
func (e entry) find(dir string) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.file)))
	if err != nil {
		return 0, fmt.Errorf("%s:%d: %w", planName, e.row, err)
	}
	before, after, ok := strings.Cut(string(text), e.code)
	if !ok {
		return 0, fmt.Errorf("%s:%d: no line of %s has %s", planName, e.row, e.file, e.code)
	}
	if strings.Contains(after, e.code) {
		return 0, fmt.Errorf("%s:%d: more than one line of %s has %s", planName, e.row, e.file, e.code)
	}
	return strings.Count(before, "\n") + 1, nil
}

// move returns the plan's text with each row's line brought up to date.
func move(text, dir string, p *plan) (string, error) {
	lines := strings.Split(text, "\n")
	for _, e := range slices.Concat(p.defects, p.idioms) {
		line, err := e.find(dir)
		if err != nil {
			return "", err
		}
		old, now := fmt.Sprintf("`%s:%d`", e.file, e.line), fmt.Sprintf("`%s:%d`", e.file, line)
		lines[e.row-1] = strings.Replace(lines[e.row-1], old, now, 1)
	}
	return strings.Join(lines, "\n"), nil
}
