// Package score lints the cases of testdata/cases and says which bugs doneby tells apart from their fixes.
//
// A rule must not see which side of a case it looks at, so a neutral copy is linted: folders, packages and files that are
// called bad or good, and the cases' own names, are replaced, and comments are blanked; lines keep their numbers, and the
// findings' paths are mapped back.
package score

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Case is one folder with a case.json.
type Case struct {
	Name  string // NNN-name
	Kind  string // what the bug is; "" for a precision case, in which nothing is wrong
	Tier  string
	Note  string
	Marks []Mark // in the bad side

	AcceptKinds []string `json:"accept_kinds"`
}

// Mark is a line on which reporting is right.
type Mark struct {
	File string // slash-separated, below the bad side
	Line int
	Kind string
}

var markComment = regexp.MustCompile(`// ?(?:BUG|ALSO|ALT)\((\w+)\)`)

// Load reads the cases of a module, by name.
func Load(dir string) ([]Case, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Case
	for _, e := range entries {
		if !e.IsDir() {
			continue // go.mod, go.sum
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name(), "case.json"))
		if err != nil {
			return nil, err
		}
		var c Case
		if err := json.Unmarshal(text, &c); err != nil {
			return nil, fmt.Errorf("%s/case.json: %w", e.Name(), err)
		}
		if c.Name = e.Name(); c.Kind == "none" {
			c.Kind = ""
		}
		if c.Marks, err = marks(filepath.Join(dir, e.Name(), "bad")); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// marks returns the marks in the Go files below dir, none if there is no such folder.
func marks(dir string) (out []Mark, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		rel, err := filepath.Rel(dir, name)
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			for _, m := range markComment.FindAllStringSubmatch(lines.Text(), -1) {
				out = append(out, Mark{filepath.ToSlash(rel), n, m[1]})
			}
		}
		return err
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return out, err
}

// residual reports whether the maintainers' fix itself still sends an absolute time between machines.
func (c Case) residual() bool { return strings.HasPrefix(c.Note, "residual:") }
