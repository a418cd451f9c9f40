package deadline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme: each block of Go in the README is the body of an example, which is compiled and run, and the table of the README
// names all that has one.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	bodies := examples(t)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(blocks) == 0 {
		t.Fatal("the README has no examples")
	}
	shown := map[string]bool{}
	for _, b := range blocks {
		name, ok := bodies[strings.TrimSpace(b[1])]
		if !ok {
			t.Errorf("no example has this body:\n%s", b[1])
		}
		shown[name] = true
	}
	for _, name := range bodies {
		if !shown[name] {
			t.Errorf("%s is not in the README", name)
		}
	}
}

// examples returns the names of the examples of the package, by their bodies, without the expected output.
func examples(t *testing.T) map[string]string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	output := regexp.MustCompile(`(?m)^// (Unordered o|O)utput:(.*\n?)*`)
	byBody := map[string]string{}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), "example_test.go") {
			continue
		}
		text, err := os.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, entry.Name(), text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			var from, to token.Pos
			name := ""
			switch d := d.(type) {
			case *ast.FuncDecl:
				if !strings.HasPrefix(d.Name.Name, "Example") {
					continue
				}
				name, from, to = d.Name.Name, d.Body.Lbrace+1, d.Body.Rbrace
			case *ast.GenDecl: // a policy is declared beside the example that uses it
				if d.Tok != token.VAR || d.Lparen.IsValid() {
					continue
				}
				name, from, to = "payments", d.Pos(), d.End()
			}
			body := string(text[fset.Position(from).Offset:fset.Position(to).Offset])
			if from != d.Pos() {
				body = strings.ReplaceAll(body, "\n\t", "\n")
			}
			byBody[strings.TrimSpace(output.ReplaceAllString(body, ""))] = name
		}
	}
	return byBody
}
