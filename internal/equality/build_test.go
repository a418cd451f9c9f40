package equality

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestMain makes one binary of three: as a vet tool it dumps SSA (blocks_test.go); otherwise it is the test, with a folder
// for what is built once.
func TestMain(m *testing.M) {
	if isVetTool(os.Args[1:]) {
		dumpMain() // does not return
	}
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIPPED: the drivers are compared without -short")
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "equality")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built = dir
	return m.Run()
}

// isVetTool reports whether the go command is calling.
func isVetTool(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == "-V=full" || arg == "-flags" || strings.HasSuffix(arg, ".cfg")
	})
}

// built is the folder of the binaries.
var built string

// doneby returns the path of the command, built once.
func doneby(t *testing.T) string { return must(t, buildDoneby) }

// golangci returns the path of a golangci-lint that holds the plugin, built once.
func golangci(t *testing.T) string { return must(t, buildGolangci) }

var (
	buildDoneby   = builder("doneby", root, "./cmd/doneby")
	buildGolangci = builder("golangci-lint", filepath.Join(root, "testdata", "golangci"), ".")
)

const root = "../.."

func builder(name, dir, pkg string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		path := filepath.Join(built, name)
		cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, pkg)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s in %s: %w\n%s", cmd, dir, err, out)
		}
		return path, nil
	})
}

func must[T any](t *testing.T, f func() (T, error)) T {
	t.Helper()
	v, err := f()
	if err != nil {
		t.Fatal(err)
	}
	return v
}
