package ruletest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/doneby/doneby/internal/ruledoc"
)

// program is one "go" or "go fixed" block.
type program struct {
	block ruledoc.Block
	root  string // the import path in place of example.com
	files []*file
	fixed *program       // the "go fixed" block of this "go" block
	text  *ruledoc.Block // its "text" block
}

// file is one file of a program.
type file struct {
	name   string // slash-separated, within the program
	line   int    // in the README, of its first line
	code   string // as the README has it
	header string // what was put in front of the first line
}

// collect makes programs of the blocks, each knowing the blocks that belong to it.
func collect(doc *ruledoc.Doc) ([]*program, error) {
	var all []*program
	for _, s := range doc.Sections {
		var cur *program
		for _, b := range s.Blocks {
			switch b.Lang {
			case ruledoc.Go, ruledoc.Fixed:
				p := &program{block: b, files: split(b)}
				p.root = module + "/" + doc.Name + "/" + p.dir()
				if err := p.complete(); err != nil {
					return nil, err
				}
				all = append(all, p)
				if b.Lang == ruledoc.Go {
					cur = p
				} else {
					cur.fixed = p
				}
			case ruledoc.Text:
				cur.text = &b
			}
		}
	}
	return all, nil
}

// dir is the program's folder in the scratch module.
func (p *program) dir() string { return fmt.Sprintf("l%d", p.block.Line) }

// split cuts a block into files.
func split(b ruledoc.Block) []*file {
	ar := txtar.Parse([]byte(b.Code))
	if len(ar.Files) == 0 {
		return []*file{{name: "example.go", line: b.Line, code: b.Code}}
	}
	var out []*file
	line := b.Line + strings.Count(string(ar.Comment), "\n")
	for _, f := range ar.Files {
		line++ // the marker
		out = append(out, &file{name: f.Name, line: line, code: string(f.Data)})
		line += strings.Count(string(f.Data), "\n")
	}
	return out
}

// complete adds package clauses and imports where they are left out.
func (p *program) complete() error {
	known := stubNames()
	for _, f := range p.files {
		if d := path.Dir(f.name); d != "." {
			known[path.Base(d)] = "example.com/" + d
		}
	}
	for _, f := range p.files {
		if err := f.complete(known); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) complete(known map[string]string) error {
	fset := token.NewFileSet()
	if _, err := parser.ParseFile(fset, f.name, f.code, parser.PackageClauseOnly); err == nil {
		return nil // complete as it stands
	}
	name := path.Base(path.Dir(f.name))
	if name == "." {
		name = "example"
	}
	clause := "package " + name + "; "
	syntax, err := parser.ParseFile(fset, f.name, clause+f.code, 0)
	if list, ok := err.(scanner.ErrorList); ok {
		return fmt.Errorf("%d: %s", f.line+list[0].Pos.Line-1, list[0].Msg)
	}
	f.header = clause
	for _, imp := range imports(syntax, known) {
		f.header += fmt.Sprintf("import %q; ", imp)
	}
	return nil
}

// imports returns the paths of the packages that the file uses without an import, by the names of selectors that
// nothing in the file declares.
func imports(syntax *ast.File, known map[string]string) []string {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range syntax.Unresolved {
		unresolved[id] = true
	}
	var out []string
	ast.Inspect(syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok || !unresolved[id] {
			return true
		}
		if p, ok := known[id.Name]; ok && !slices.Contains(out, p) {
			out = append(out, p)
		}
		return true
	})
	sort.Strings(out)
	return out
}

// source is what is compiled: the header, the code, and this program's own import paths.
func (p *program) source(f *file) string {
	return strings.ReplaceAll(f.header+f.code, `"example.com/`, `"`+p.root+"/")
}

// shift returns by how much columns on the file's first line are greater than in the README.
func (p *program) shift(f *file) int {
	return len(p.source(&file{header: f.header}))
}

// std are the packages of the standard library that a block may use without importing them.
var std = []string{
	"archive/tar", "bufio", "bytes", "compress/gzip", "container/heap", "container/list", "context", "crypto/tls",
	"database/sql", "encoding/json", "errors", "flag", "fmt", "io", "io/fs", "iter", "log", "log/slog", "math/rand", "mime/multipart",
	"net", "net/http", "net/http/httptest", "net/rpc", "net/smtp", "net/textproto", "net/url",
	"os", "os/exec", "os/signal", "runtime", "sort", "strconv", "strings", "sync", "sync/atomic", "syscall", "testing", "time",
}
