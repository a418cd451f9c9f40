package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain makes the test binary the command as well: tests run it as users do.
func TestMain(m *testing.M) {
	if os.Getenv("DONEBY_TEST_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

const dirty = `package p

import (
	"context"
	"net/http"
)

func Fetch(ctx context.Context, url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
`

// module writes a small module with one finding of ctxless in p, and none in q.
func module(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a module")
	put(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	put(t, dir, "p/p.go", dirty)
	put(t, dir, "q/q.go", "package q\n\nfunc F() int { return 1 }\n")
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// doneby returns the command, ready to run in dir with a cache of its own.
func doneby(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DONEBY_TEST_MAIN=1", "DONEBY_CACHE="+filepath.Join(filepath.Dir(dir), "cache"), "DONEBY_CONFIG=", "PWD="+dir)
	return cmd
}

// run runs it and returns what it wrote and its status.
func run(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, status int) {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

const ctxless = "p.go:9:15: ctxless: http.Get cannot carry ctx"

// The command line, one row a promise: what it is told, what it says, how it ends.
func TestCommand(t *testing.T) {
	dir := module(t)
	put(t, dir, "bad.yaml", "audit: true\nrulez: [ctxless]\n")
	put(t, dir, "broken/broken.go", "package broken\n\nvar X int = \"x\"\n")
	p := filepath.Join(dir, "p")
	tests := []struct {
		name           string
		dir            string
		args           []string
		stdout, stderr string // both must be found, or be empty
		status         int
	}{
		{"finding", dir, []string{"-rules", "ctxless", "./p"}, filepath.Join("p", ctxless) + "\n", "", 1},
		{"relative to the working directory", p, []string{"-rules=ctxless"}, ctxless + "\n", "", 1},
		{"-C", dir, []string{"-rules=ctxless", "-C", p, "."}, ctxless + "\n", "", 1},
		{"clean", dir, []string{"./q"}, "", "", 0},
		{"problem beats finding", dir, []string{"-rules=ctxless", "./..."}, "ctxless", "broken/broken.go:3:13: cannot use \"x\"", 2},
		{"unknown flag", dir, []string{"-nonsense"}, "", "-nonsense", 2},
		{"unknown format", dir, []string{"-f", "xml"}, "", "text and json", 2},
		{"unknown rule", dir, []string{"-rules", "nonsense"}, "", "unknown rule \"nonsense\"", 2},
		{"bad config", dir, []string{"-config", "bad.yaml", "./q"}, "", "bad.yaml:2:1: unknown key \"rulez\"", 2},
		{"no config", dir, []string{"-config", "none.yaml", "./q"}, "", "none.yaml", 2},
		{"no directory", dir, []string{"-C", "none"}, "", "none", 2},
		{"no package", dir, []string{"./none"}, "", "none: directory not found", 2},
		{"-version", dir, []string{"-version"}, runtime.Version(), "", 0},
		{"-h", dir, []string{"-h"}, "-rules", "", 0},
		{"-runtime", dir, []string{"-runtime", "./q"}, "", "-runtime has no effect yet", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, status := run(t, doneby(t, test.dir, test.args...))
			if status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			for what, pair := range map[string][2]string{"stdout": {stdout, test.stdout}, "stderr": {stderr, test.stderr}} {
				if got, want := pair[0], pair[1]; !strings.Contains(got, want) || want == "" && got != "" {
					t.Errorf("%s is %q, want %q", what, got, want)
				}
			}
		})
	}
}

func TestJSON(t *testing.T) {
	stdout, _, status := run(t, doneby(t, module(t), "-f=json", "-rules=ctxless", "./..."))
	var tree map[string]map[string][]struct{ Posn, Message, Kind string }
	if err := json.Unmarshal([]byte(stdout), &tree); err != nil {
		t.Fatal(err)
	}
	list := tree["example.com/m/p"]["ctxless"]
	if status != 1 || len(list) != 1 || list[0].Kind != "call" || !strings.HasSuffix(list[0].Posn, filepath.Join("p", "p.go")+":9:15") {
		t.Errorf("status %d, tree %v", status, tree)
	}
}

// -diff shows what -fix does, and does nothing.
func TestFix(t *testing.T) {
	dir := module(t)
	diff, _, status := run(t, doneby(t, dir, "-diff", "-rules=ctxless", "./..."))
	if status != 1 || !strings.Contains(diff, "+++ b/p/p.go\n") || !strings.Contains(diff, "\n-\tresp, err := http.Get(url)\n") {
		t.Fatalf("status %d, diff\n%s", status, diff)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "p/p.go")); string(text) != dirty {
		t.Fatal("-diff has changed the file")
	}
	if stdout, stderr, status := run(t, doneby(t, dir, "-fix", "-rules=ctxless", "./...")); status != 0 {
		t.Errorf("status %d after -fix: %s%s", status, stdout, stderr)
	}
	if stdout, stderr, status := run(t, doneby(t, dir, "-rules=ctxless", "./...")); status != 0 {
		t.Errorf("status %d in the run after: %s%s", status, stdout, stderr)
	}
	if _, _, status := run(t, doneby(t, dir, "-diff", "-rules=ctxless", "./...")); status != 0 {
		t.Errorf("status %d of -diff when nothing is left", status)
	}
}

// Ctrl-C ends a run at once, whatever the go command is doing.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	dir := module(t)
	bin := filepath.Join(filepath.Dir(dir), "bin")
	put(t, bin, "go", "#!/bin/sh\ntouch \"$DONEBY_TEST_STARTED\"\nexec sleep 60\n")
	if err := os.Chmod(filepath.Join(bin, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	started := filepath.Join(bin, "started")
	cmd := doneby(t, dir)
	cmd.Env = append(cmd.Env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "DONEBY_TEST_STARTED="+started)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // the status is looked at below
	if status := cmd.ProcessState.ExitCode(); status != 130 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
}
