package score

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Copy is a neutral copy of a module of cases.
type Copy struct {
	Dir   string
	sides map[string]side // by the folder's name in the copy
}

type side struct{ c, side string }

// Neutral copies the module in from to the folder to, so that nothing in it tells a bad side from a good one.
func Neutral(from, to string) (*Copy, error) {
	c := &Copy{Dir: to, sides: map[string]side{}}
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		parts := strings.SplitN(filepath.ToSlash(rel), "/", 3)
		switch {
		case len(parts) == 1: // go.mod, go.sum
			return copyFile(name, filepath.Join(to, rel))
		case len(parts) < 3 || path.Ext(rel) != ".go":
			return nil // case.json
		}
		s := side{parts[0], parts[1]}
		c.sides[s.folder()] = s
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text, err = neutralise(rel, text)
		if err != nil {
			return err
		}
		return write(filepath.Join(to, s.folder(), filepath.FromSlash(renamed(parts[2], s.side, "app"))), text)
	})
	return c, err
}

// folder is the side's name in the copy: always the same, in an order that says nothing.
func (s side) folder() string {
	sum := sha256.Sum256([]byte(s.c + "/" + s.side))
	return "p" + hex.EncodeToString(sum[:5])
}

// renamed replaces one word at the beginning of a file's base name by another.
func renamed(name, old, new string) string {
	dir, base := path.Split(name)
	if rest, ok := strings.CutPrefix(base, old); ok && (rest[0] == '.' || rest[0] == '_') {
		base = new + rest
	}
	return dir + base
}

// Original returns where a file of the copy comes from.
func (c *Copy) Original(name string) (Finding, bool) {
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(c.Dir, name)
		if err != nil {
			return Finding{}, false
		}
		name = rel
	}
	folder, rest, _ := strings.Cut(filepath.ToSlash(name), "/")
	s, ok := c.sides[folder]
	return Finding{Case: s.c, Side: s.side, File: renamed(rest, "app", s.side)}, ok
}

var sidePath = regexp.MustCompile(`^([^"]*?/)(\d\d\d-[a-z0-9-]+)/(bad|good)(/.*)?$`)

// neutralise blanks comments, keeps the lines, and replaces the package names and import paths that name a side.
func neutralise(name string, text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, g := range syntax.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:") {
				continue // a directive is code
			}
			for i := at(c.Pos()); i < at(c.End()); i++ {
				if text[i] != '\n' && text[i] != '\r' {
					text[i] = ' '
				}
			}
		}
	}
	var b strings.Builder
	last := 0
	replace := func(n ast.Node, with string) {
		b.Write(text[last:at(n.Pos())])
		b.WriteString(with)
		last = at(n.End())
	}
	if isSide(syntax.Name.Name) {
		replace(syntax.Name, "app")
	}
	for _, imp := range syntax.Imports {
		value, err := strconv.Unquote(imp.Path.Value)
		if m := sidePath.FindStringSubmatch(value); err == nil && m != nil {
			if imp.Name == nil && m[4] == "" || imp.Name != nil && isSide(imp.Name.Name) {
				return nil, fmt.Errorf("%s: the import's name tells the side: give it another", fset.Position(imp.Pos()))
			}
			replace(imp.Path, strconv.Quote(m[1]+side{m[2], m[3]}.folder()+m[4]))
		}
	}
	b.Write(text[last:])
	return []byte(b.String()), nil
}

func isSide(name string) bool { return name == "bad" || name == "good" }

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return write(to, text)
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}
