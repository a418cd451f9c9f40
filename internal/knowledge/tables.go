package knowledge

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.txt
var data embed.FS

// Tables is a set of rows with a lookup. It does not change once made.
type Tables struct {
	rows  map[string]Row
	paths map[string]bool
}

// Builtin returns the tables that come with doneby.
func Builtin() *Tables { return builtin() }

var builtin = sync.OnceValue(func() *Tables {
	t, err := read(data)
	if err != nil {
		panic(err) // a test reads the embedded tables: this cannot leave the house
	}
	return t
})

// read parses every table of files.
func read(files fs.FS) (*Tables, error) {
	names, err := fs.Glob(files, "data/*.txt")
	if err != nil {
		return nil, err
	}
	t := &Tables{rows: map[string]Row{}, paths: map[string]bool{}}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		rows, err := Parse(name, strings.NewReader(string(text)))
		if err != nil {
			return nil, err
		}
		t.paths[header(string(text))] = true // also when it has no rows: then all of it was looked at and takes no time
		for _, row := range rows {
			if before, ok := t.rows[row.Name]; ok {
				return nil, &SyntaxError{name, row.Line, 1, fmt.Sprintf("%s has a row already, at %s:%d: remove one", row.Name, before.File, before.Line)}
			}
			t.add(row)
		}
	}
	return t, nil
}

// header returns the import path that a table's first line names.
func header(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "#"))
}

func (t *Tables) add(row Row) {
	t.rows[row.Name] = row
	t.paths[row.ImportPath()] = true
}

// With returns the tables with rows in them; a row replaces the one of the same name.
func (t *Tables) With(rows []Row) *Tables {
	if len(rows) == 0 {
		return t
	}
	u := &Tables{rows: maps.Clone(t.rows), paths: maps.Clone(t.paths)}
	for _, row := range rows {
		u.add(row)
	}
	return u
}

// Func returns the row of the function or method that types.Func.FullName calls fullName. A method without a row of its
// own has the row of its type, if that says none.
func (t *Tables) Func(fullName string) (Row, bool) {
	fullName = plain(fullName)
	if row, ok := t.rows[fullName]; ok {
		return row, true
	}
	if recv, _, ok := strings.Cut(fullName, ")."); ok {
		row, ok := t.rows[recv[1:]]
		return row, ok && row.Verb == None
	}
	return Row{}, false
}

// Type returns the row of the type that types.TypeString calls name, with * for a pointer.
func (t *Tables) Type(name string) (Row, bool) {
	row, ok := t.rows[plain(name)]
	return row, ok
}

// Covers reports whether the tables speak about that package.
func (t *Tables) Covers(importPath string) bool { return t.paths[importPath] }

// Rows returns every row, by name.
func (t *Tables) Rows() []Row {
	return slices.SortedFunc(maps.Values(t.rows), func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
}
