package knowledge

import (
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite lists/std.txt")

// TestStdList checks the list of the standard library's packages against the go command's.
func TestStdList(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "std")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOEXPERIMENT=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list std: %v", err)
	}
	comment, have, _ := strings.Cut(stdText, "\n")
	if have == string(out) {
		return
	}
	if *update {
		if err := os.WriteFile("lists/std.txt", []byte(comment+"\n"+string(out)), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Fields(string(out))
	for _, path := range want {
		if !IsStd(path) {
			t.Errorf("lists/std.txt lacks %s", path)
		}
	}
	for path := range std() {
		if !slices.Contains(want, path) {
			t.Errorf("lists/std.txt has %s, which is no package of the standard library", path)
		}
	}
	t.Log("go test ./internal/knowledge -update rewrites it")
}

// TestSorted checks that the lists that people keep are sorted and say nothing twice.
func TestSorted(t *testing.T) {
	for _, text := range []string{testLibrariesText, commandLibrariesText, embeddedDatabasesText, embeddedStoresText} {
		var paths []string
		for line := range strings.Lines(text) {
			if line[0] != '#' {
				paths = append(paths, strings.TrimSpace(line))
			}
		}
		for i, path := range paths {
			if i > 0 && path <= paths[i-1] {
				t.Errorf("%s goes before %s", path, paths[i-1])
			}
		}
	}
}
