package gate_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/gate"
)

const source = `package p

import "net/http"

func a() { http.Get("a") }

func b() { http.Get("b") }
`

// replace returns a fix that puts new for the first old behind after, and an import at the top.
func replace(t *testing.T, file, text, old, new string) driver.Finding {
	t.Helper()
	at := strings.Index(text, old)
	imports := strings.Index(text, "import ")
	if at < 0 || imports < 0 {
		t.Fatalf("no %q in the file", old)
	}
	return driver.Finding{File: file, Message: old, Fixes: []driver.Fix{{Edits: []driver.Edit{
		{File: file, Start: imports, End: imports, New: "import \"context\"\n"},
		{File: file, Start: at, End: at + len(old), New: new},
	}}}}
}

func fileWith(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFix(t *testing.T) {
	file := fileWith(t, source)
	fixed, err := gate.Fix([]driver.Finding{
		replace(t, file, source, `http.Get("a")`, `get( context.TODO(),"a")`), // not as gofmt would write it
		replace(t, file, source, `http.Get("b")`, `get(context.TODO(), "b")`), // the same import
		replace(t, file, source, `Get("b")`, `overlap()`),
		{File: file, Message: "without a fix"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := fixed.Write(); err != nil {
		t.Fatal(err)
	}
	want := `package p

import "context"
import "net/http"

func a() { get(context.TODO(), "a") }

func b() { get(context.TODO(), "b") }
`
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("error %v, got\n%s", err, got)
	}
	if fixed.Skipped != 1 || len(fixed.Left) != 2 {
		t.Errorf("skipped %d, left %v", fixed.Skipped, fixed.Left)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".doneby*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFixKeepsLineEnds(t *testing.T) {
	text := strings.ReplaceAll(source, "\n", "\r\n")
	file := fileWith(t, text)
	fixed, err := gate.Fix([]driver.Finding{replace(t, file, text, `http.Get("a")`, `get()`)})
	if err != nil {
		t.Fatal(err)
	}
	out := fixed.Changes[0].New
	if bytes.Count(out, []byte("\n")) != bytes.Count(out, []byte("\r\n")) {
		t.Errorf("line ends are mixed: %q", out)
	}
}

// A fix that does not fit is an error that names the file, and nothing is written.
func TestFixThatDoesNotFit(t *testing.T) {
	file := fileWith(t, source)
	for name, e := range map[string]driver.Edit{
		"beyond the end": {File: file, Start: 10_000, End: 10_001},
		"no Go":          {File: file, Start: 0, End: 7, New: "{"},
	} {
		_, err := gate.Fix([]driver.Finding{{Fixes: []driver.Fix{{Edits: []driver.Edit{e}}}}})
		if err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The diffs say what the change was: applied, they give the new text.
func TestDiff(t *testing.T) {
	long := "package p\n\n" + strings.Repeat("// line\n", 30)
	tests := map[string][2]string{
		"change":        {"a\nb\nc\n", "a\nB\nc\n"},
		"insert":        {"a\n", "a\nb\n"},
		"insert first":  {"a\n", "b\na\n"},
		"delete":        {"a\nb\nc\n", "a\nc\n"},
		"from nothing":  {"", "a\nb\n"},
		"to nothing":    {"a\nb\n", ""},
		"no newline":    {"a\nb", "a\nc"},
		"two hunks":     {long + "x\n" + long + "y\n" + long, long + "X\n" + long + "Y\n" + long},
		"near changes":  {"a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n"},
		"many changes":  {"a\nb\nc\nd\ne\nf\n", "b\nx\nd\na\nf\ny\n"},
		"joined at six": {"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n"},
	}
	patch, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git to apply diffs with")
	}
	for name, texts := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "f.txt")
			fixed := gate.Fixed{Changes: []gate.Change{{File: file, Old: []byte(texts[0]), New: []byte(texts[1])}}}
			var diff bytes.Buffer
			if err := fixed.Diff(&diff, dir); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(texts[0]), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(patch, "apply", "--unidiff-zero", "-")
			cmd.Dir, cmd.Stdin = dir, bytes.NewReader(diff.Bytes())
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s\n%s", err, out, &diff)
			}
			if got, _ := os.ReadFile(file); string(got) != texts[1] {
				t.Errorf("got %q, want %q from\n%s", got, texts[1], &diff)
			}
		})
	}
}
