package equality

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A finding is what must be the same under every driver.
type finding struct {
	file      string // from the module's folder, with slashes
	line, col int
	rule      string
	message   string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", f.file, f.line, f.col, f.rule, f.message)
}

var textLine = regexp.MustCompile(`^(.+?):(\d+):(\d+): ([a-z]+): (.*)$`)

// parseText reads path:line:col: rule: message. Lines that begin with a blank belong to the finding above them; others are
// an error, so that nothing is lost.
func parseText(t *testing.T, m module, text string) []finding {
	t.Helper()
	var fs []finding
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		got := textLine.FindStringSubmatch(line)
		if got == nil {
			t.Fatalf("%s: not path:line:col: rule: message: %q", m.name, line)
		}
		fs = append(fs, finding{m.rel(t, got[1]), number(t, got[2]), number(t, got[3]), got[4], got[5]})
	}
	return sorted(fs)
}

// parseGolangci reads path:line:col: rule: message (doneby).
func parseGolangci(t *testing.T, m module, text string) []finding {
	t.Helper()
	var lines strings.Builder
	for line := range strings.Lines(text) {
		line, ok := strings.CutSuffix(strings.TrimSpace(line), " (doneby)")
		if !ok {
			t.Fatalf("%s: not a finding of doneby: %q", m.name, line)
		}
		fmt.Fprintln(&lines, line)
	}
	return parseText(t, m, lines.String())
}

// parseVetJSON reads what go vet -json prints: an object for each package, with comment lines between them.
func parseVetJSON(t *testing.T, m module, text string) []finding {
	t.Helper()
	var objects strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			objects.WriteString(line)
		}
	}
	var fs []finding
	for dec := json.NewDecoder(strings.NewReader(objects.String())); ; {
		var tree map[string]map[string]json.RawMessage // package, analyzer
		if err := dec.Decode(&tree); errors.Is(err, io.EOF) {
			return sorted(fs)
		} else if err != nil {
			t.Fatalf("%s: %v in %s", m.name, err, text)
		}
		for analyzers := range maps.Values(tree) {
			for rule, raw := range analyzers {
				fs = append(fs, vetFindings(t, m, rule, raw)...)
			}
		}
	}
}

func vetFindings(t *testing.T, m module, rule string, raw json.RawMessage) []finding {
	t.Helper()
	var ds []struct{ Posn, Message string }
	if err := json.Unmarshal(raw, &ds); err != nil {
		t.Fatalf("%s: analyzer %s: %s", m.name, rule, raw) // {"error": …}
	}
	var fs []finding
	for _, d := range ds {
		fs = append(fs, parseText(t, m, d.Posn+": "+rule+": "+d.Message)...)
	}
	return fs
}

func (m module) rel(t *testing.T, name string) string {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.dir, name)
	}
	rel, err := filepath.Rel(m.dir, name)
	if err != nil || strings.HasPrefix(rel, "..") {
		t.Fatalf("%s: a finding in %s, outside %s", m.name, name, m.dir)
	}
	return filepath.ToSlash(rel)
}

func number(t *testing.T, digits string) int {
	t.Helper()
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sorted makes a set of the findings: go vet says what stands in a package once more for its external tests.
func sorted(fs []finding) []finding {
	slices.SortFunc(fs, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(fs)
}

// difference says what only one of two drivers found.
func difference(name string, a []finding, other string, b []finding) string {
	var lines []string
	only := func(name string, a, b []finding) {
		for _, f := range a {
			if !slices.Contains(b, f) {
				lines = append(lines, fmt.Sprintf("only %s: %s", name, f))
			}
		}
	}
	only(name, a, b)
	only(other, b, a)
	const most = 40
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more", len(lines)-most))
	}
	return strings.Join(lines, "\n")
}
