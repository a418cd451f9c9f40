package deadline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme: each block of Go in the READMEs of this package and of its adapters is the body of an example, or a declaration
// beside one, which is compiled and run in its own module; and each example of this package is in its README.
func TestReadme(t *testing.T) {
	for _, dir := range []string{".", "deadlineconnect", "deadlinegrpc", "deadlineotel", "deadlinesql"} {
		t.Run(dir, func(t *testing.T) {
			readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
			if os.IsNotExist(err) && dir != "." {
				t.Skip("a module of its own, which is not there beside a downloaded copy of this one")
			}
			if err != nil {
				t.Fatal(err)
			}
			texts := examples(t, dir)
			shown := checkBlocks(t, string(readme), texts)
			if len(shown) == 0 {
				t.Fatal("the README has no examples")
			}
			for _, name := range texts {
				if dir == "." && name != "" && !shown[name] {
					t.Errorf("%s is not in the README", name)
				}
			}
		})
	}
}

// checkBlocks wants each block of Go to be one of the texts, and returns the names of those that are there. A block that is only
// indented is for what is typed.
func checkBlocks(t *testing.T, readme string, texts map[string]string) map[string]bool {
	t.Helper()
	shown := map[string]bool{}
	for _, b := range regexp.MustCompile("(?s)```(\\w*)\n(.*?)```").FindAllStringSubmatch(readme, -1) {
		name, ok := texts[strings.TrimSpace(b[2])]
		if b[1] != "go" || !ok {
			t.Errorf("no example has this body, in a block of %q:\n%s", b[1], b[2])
		}
		shown[name] = true
	}
	for _, line := range strings.Split(readme, "\n") {
		if strings.HasPrefix(line, "    ") && strings.Contains(line, ":=") {
			t.Errorf("Go that nothing compiles: %s", line)
		}
	}
	return shown
}

// examples returns the names of the examples in dir by their bodies, without the expected output, and what is declared beside them
// by its whole text, under no name, since it need not be shown; but for the policy that the examples of this package share.
func examples(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*example_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v %v", dir, files, err)
	}
	output := regexp.MustCompile(`(?m)^// (Unordered o|O)utput:(.*\n?)*`)
	byText := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		slice := func(from, to token.Pos) string {
			return string(text[fset.Position(from).Offset:fset.Position(to).Offset])
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
				byText[strings.TrimSpace(slice(d.Pos(), d.End()))] = ""
				continue
			}
			body := strings.ReplaceAll(slice(f.Body.Lbrace+1, f.Body.Rbrace), "\n\t", "\n")
			byText[strings.TrimSpace(output.ReplaceAllString(body, ""))] = f.Name.Name
		}
	}
	for text, name := range byText {
		if name == "" && strings.HasPrefix(text, "var payments ") {
			byText[text] = "payments"
		}
	}
	return byText
}
