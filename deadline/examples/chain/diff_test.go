package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// split makes file and line of a position of doneby's.
func split(dir, posn string) (file string, line int, err error) {
	parts := strings.Split(posn, ":")
	if len(parts) < 3 {
		return "", 0, strconv.ErrSyntax
	}
	line, err = strconv.Atoi(parts[len(parts)-2])
	if err != nil {
		return "", 0, err
	}
	file, err = filepath.Rel(dir, strings.Join(parts[:len(parts)-2], ":"))
	return filepath.ToSlash(file), line, err
}

// TestDifferences wants the variants to differ by what doneby reports in package before, and by nothing else: each line of its
// services that another variant does not have belongs to a statement with a finding, and each finding to a statement that the
// other variants have mended. The wiring is that of before in ctx only; in after it has the middleware.
func TestDifferences(t *testing.T) {
	all, err := findings()
	if err != nil {
		t.Fatal(err)
	}
	before := read(t, "before/services.go")
	reported := before.statements(t, all)
	for _, variant := range []string{"ctxonly", "after"} {
		mended := map[span]bool{}
		for _, h := range hunks(before.code, read(t, variant+"/services.go").code) {
			h = span{h.from + before.head, h.to + before.head}
			in := slices.IndexFunc(reported, h.within)
			if in < 0 {
				t.Errorf("%s differs in lines %d to %d of before, of which doneby says nothing", variant, h.from, h.to-1)
				continue
			}
			mended[reported[in]] = true
		}
		for _, s := range reported {
			if !mended[s] {
				t.Errorf("%s has lines %d to %d as they are in before, which doneby reports", variant, s.from, s.to-1)
			}
		}
	}
	if h := hunks(read(t, "before/wiring.go").code, read(t, "ctxonly/wiring.go").code); len(h) > 0 {
		t.Errorf("ctx only has another wiring: %v", h)
	}
}

// source is a file: its lines after those of the package clause and the imports, which follow from the rest.
type source struct {
	name string
	head int // lines before the code
	code []string
	set  *token.FileSet
	file *ast.File
}

func read(t *testing.T, name string) source {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	s := source{name: name, set: token.NewFileSet()}
	if s.file, err = parser.ParseFile(s.set, name, text, parser.ParseComments); err != nil {
		t.Fatal(err)
	}
	s.head = s.line(s.file.Decls[0].End()) // of the imports
	s.code = strings.Split(string(text), "\n")[s.head:]
	return s
}

func (s source) line(pos token.Pos) int { return s.set.Position(pos).Line }

// A span is lines, numbered from 1, from one up to and without another. Without any it is the gap before from.
type span struct{ from, to int }

func (h span) within(s span) bool { return s.from <= h.from && h.to <= s.to }

// statements are the innermost whole statements with a finding.
func (s source) statements(t *testing.T, all []finding) (found []span) {
	t.Helper()
	for _, f := range all {
		if f.file != s.name {
			continue // TestFindings says so
		}
		var best span
		ast.Inspect(s.file, func(n ast.Node) bool {
			block, ok := n.(*ast.BlockStmt)
			if !ok {
				return true
			}
			for _, stmt := range block.List {
				in := span{s.line(stmt.Pos()), s.line(stmt.End()) + 1}
				_, arm := stmt.(*ast.CommClause) // is no statement, but a part of one
				if !arm && in.from <= f.line && f.line < in.to {
					best = in
				}
			}
			return true
		})
		if best == (span{}) {
			t.Fatalf("no statement at %s:%d", f.file, f.line)
		}
		found = append(found, best)
	}
	return found
}

// hunks are the lines of a that b has not, each with the gap in which b has others.
func hunks(a, b []string) (out []span) {
	longest := make([][]int, len(a)+1) // common subsequences of what is left of a and b
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
			continue
		}
		h := span{from: i + 1}
		for (i < len(a) || j < len(b)) && (i == len(a) || j == len(b) || a[i] != b[j]) {
			if j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1] {
				i++
			} else {
				j++
			}
		}
		h.to = i + 1
		out = append(out, h)
	}
	return out
}

func TestHunks(t *testing.T) {
	a := strings.Fields("one two three four five")
	for text, want := range map[string][]span{
		"one two three four five":     nil,
		"one 2 three four five":       {{2, 3}},
		"one two two three four five": {{3, 3}},
		"one four five six":           {{2, 4}, {6, 6}},
		"":                            {{1, 6}},
	} {
		if got := hunks(a, strings.Fields(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
