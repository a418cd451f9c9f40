package knowledge

import (
	"strings"
	"testing"
)

func TestFunc(t *testing.T) {
	tests := []struct {
		name string
		verb Verb // "" for no row
	}{
		{"context.WithTimeout", Derives},
		{"(*net/http.Client).Do", Waits},
		{"(net.Conn).Read", Waits},
		{"slices.SortFunc", Calls},
		{"(*log.Logger).Fatal", Exits},        // its own row goes before that of its type
		{"(*log.Logger).Print", None},         // the row of its type
		{"(*net/http.Request).AddCookie", ""}, // that of its type says something else
		{"(net/http.HandlerFunc).Nothing", ""},
		{"net/http.Nothing", ""},
		{"", ""},
	}
	for _, tt := range tests {
		row, ok := Builtin().Func(tt.name)
		if ok != (tt.verb != "") || ok && row.Verb != tt.verb {
			t.Errorf("Func(%q) = %v %v, want %q", tt.name, row.Verb, ok, tt.verb)
		}
	}
}

func TestGenericNames(t *testing.T) {
	tables := Builtin().With([]Row{{Name: "(*p.Map).Range", Verb: Calls}})
	for _, name := range []string{"(*p.Map).Range", "(*p.Map[K,V]).Range", "(*p.Map[p.K,map[string]q.V]).Range"} {
		if _, ok := tables.Func(name); !ok {
			t.Errorf("%s is not found", name)
		}
	}
}

func TestWithOverrides(t *testing.T) {
	tables := Builtin().With([]Row{{Name: "net/http.Get", Verb: None}, {Name: "our.org/x.F", Verb: Waits}})
	if row, _ := tables.Func("net/http.Get"); row.Verb != None {
		t.Errorf("a user's row does not override: %v", row.Verb)
	}
	if !tables.Covers("our.org/x") || tables.Covers("our.org") || Builtin().Covers("our.org/x") {
		t.Error("Covers does not follow the rows")
	}
	if row, _ := Builtin().Func("net/http.Get"); row.Verb != Waits {
		t.Error("With changed the tables it was called on")
	}
}

func TestType(t *testing.T) {
	if row, ok := Builtin().Type("*net/http.Request"); !ok || row.Verb != Carries || row.Ctx.Sel != "Context()" {
		t.Errorf("*net/http.Request: %+v %v", row, ok)
	}
	if _, ok := Builtin().Type("net/http.Request"); ok {
		t.Error("only the pointer carries a context")
	}
}

func TestLists(t *testing.T) {
	for path, want := range map[string]bool{"net/http": true, "internal/poll": true, "unsafe": true, "a": false, "github.com/x/y": false, "net/httpx": false, "list": false} {
		if IsStd(path) != want {
			t.Errorf("IsStd(%q) is not %v", path, want)
		}
	}
	for path, want := range map[string]bool{
		"testing": true, "testing/fstest": true, "net/http/httptest": true, "github.com/stretchr/testify/require": true,
		"net/http": false, "testingx": false, "": false,
	} {
		if IsTestLibrary(path) != want {
			t.Errorf("IsTestLibrary(%q) is not %v", path, want)
		}
	}
}

// TestForm checks what every table looks like, ours and those of libraries.
func TestForm(t *testing.T) {
	files, err := data.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := data.ReadFile("data/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		checkForm(t, file.Name(), string(text))
	}
}

func checkForm(t *testing.T, file, text string) {
	path := header(text)
	if want := strings.ReplaceAll(path, "/", "_") + ".txt"; file != want {
		t.Errorf("%s: line 1 says %s: then the file is %s", file, path, want)
	}
	if _, rest, _ := strings.Cut(text, "\n"); !strings.HasPrefix(rest, "# checked: ") {
		t.Errorf("%s: line 2 says against which version it was checked, as # checked: go1.26", file)
	}
	rows, err := Parse(file, strings.NewReader(text))
	if err != nil {
		t.Error(err)
	}
	for i, row := range rows {
		if row.ImportPath() != path {
			t.Errorf("%s:%d: %s belongs to the table of %s", file, row.Line, row.Name, row.ImportPath())
		}
		if i > 0 && row.Name < rows[i-1].Name {
			t.Errorf("%s:%d: %s goes before %s", file, row.Line, row.Name, rows[i-1].Name)
		}
	}
}
