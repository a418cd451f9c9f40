package knowledge

import (
	"embed"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.txt
var data embed.FS

// Tables is a set of rows with a lookup. It does not change once made. The built-in tables are read one by one, when somebody
// first asks about their package: they hold thousands of rows, and a run meets few of the packages.
type Tables struct {
	rows map[string]Row  // of users: they go before the built-in ones
	also map[string]bool // the import paths of these
}

// Builtin returns the tables that come with doneby.
func Builtin() *Tables { return builtin }

var builtin = &Tables{}

// With returns the tables with rows in them; a row replaces the one of the same name.
func (t *Tables) With(rows []Row) *Tables {
	if len(rows) == 0 {
		return t
	}
	u := &Tables{rows: maps.Clone(t.rows), also: maps.Clone(t.also)}
	if u.rows == nil {
		u.rows, u.also = map[string]Row{}, map[string]bool{}
	}
	for _, row := range rows {
		u.rows[row.Name] = row
		u.also[row.ImportPath()] = true
	}
	return u
}

// Func returns the row of the function or method that types.Func.FullName calls fullName. A method without a row of its
// own has the row of its type, if that says none.
func (t *Tables) Func(fullName string) (Row, bool) {
	fullName = plain(fullName)
	if row, ok := t.row(fullName); ok {
		return row, true
	}
	if recv, _, ok := strings.Cut(fullName, ")."); ok {
		row, ok := t.row(recv[1:])
		return row, ok && row.Verb == None
	}
	return Row{}, false
}

// Of returns the row of a function, or of the generic function that it is an instance of. Most functions are of packages of
// which the tables say nothing, and no name is put together for them.
func (t *Tables) Of(fn *types.Func) (Row, bool) {
	if fn == nil || !t.covers(fn.Pkg()) && !t.covers(ofReceiver(fn)) {
		return Row{}, false
	}
	return t.Func(fn.Origin().FullName())
}

func (t *Tables) covers(pkg *types.Package) bool { return pkg == nil || t.Covers(pkg.Path()) }

// ofReceiver returns the package of a method's receiver, which its name has: that of an interface may be declared in another one than the
// method. For a function it is the function's own.
func ofReceiver(fn *types.Func) *types.Package {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Pkg()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.(type) {
	case *types.Named:
		return t.Obj().Pkg()
	case *types.Alias:
		return t.Obj().Pkg()
	}
	return nil
}

// Type returns the row of the type that types.TypeString calls name, with * for a pointer.
func (t *Tables) Type(name string) (Row, bool) { return t.row(plain(name)) }

func (t *Tables) row(name string) (Row, bool) {
	if row, ok := t.rows[name]; ok {
		return row, true
	}
	path, _, _ := SplitName(name)
	row, ok := table(path)[name]
	return row, ok
}

// Covers reports whether the tables speak about that package. A table without rows does too: all of the package was looked at
// and takes no time.
func (t *Tables) Covers(importPath string) bool {
	return t.also[importPath] || table(importPath) != nil
}

// Rows returns every row, by name.
func (t *Tables) Rows() []Row {
	rows := map[string]Row{}
	for _, file := range embedded() {
		text, err := data.ReadFile(file)
		if err != nil {
			panic(err) // it is embedded
		}
		maps.Copy(rows, table(header(string(text))))
	}
	maps.Copy(rows, t.rows)
	return slices.SortedFunc(maps.Values(rows), func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
}

// embedded lists the files of the built-in tables.
func embedded() []string {
	entries, err := data.ReadDir("data")
	if err != nil {
		panic(err) // it is embedded
	}
	var files []string
	for _, entry := range entries {
		files = append(files, "data/"+entry.Name())
	}
	return files
}

// tables holds the built-in tables that were asked for: import path → map[string]Row, nil where there is none.
var tables sync.Map

// table returns the built-in rows about one package, by name; nil if there is no table of it.
func table(importPath string) map[string]Row {
	if rows, ok := tables.Load(importPath); ok {
		return rows.(map[string]Row)
	}
	rows, _ := tables.LoadOrStore(importPath, readTable(importPath))
	return rows.(map[string]Row)
}

// readTable reads the embedded table about one package. It panics if the table is malformed; a test reads them all, so this
// cannot leave the house.
func readTable(importPath string) map[string]Row {
	file := "data/" + fileName(importPath)
	text, err := data.ReadFile(file)
	if err != nil || header(string(text)) != importPath {
		return nil
	}
	list, err := Parse(file, strings.NewReader(string(text)))
	if err != nil {
		panic(fmt.Sprintf("malformed table: %v", err))
	}
	rows := make(map[string]Row, len(list))
	for _, row := range list {
		rows[row.Name] = row
	}
	return rows
}

// fileName returns the name of the file that holds the table of a package.
func fileName(importPath string) string { return strings.ReplaceAll(importPath, "/", "_") + ".txt" }

// header returns the import path that a table's first line names.
func header(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "#"))
}
