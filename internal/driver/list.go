package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
)

// listed is what `go list` says of one package.
type listed struct {
	Dir             string
	ImportPath      string // with " [p.test]" behind it for a variant that is compiled for the test of p
	Name            string
	ForTest         string
	DepOnly         bool
	Standard        bool
	Export          string
	BuildID         string
	GoFiles         []string
	CgoFiles        []string
	CompiledGoFiles []string
	InvalidGoFiles  []string
	Imports         []string
	ImportMap       map[string]string
	Module          *analysis.Module
	Error           *listError
}

// listFields are the fields of listed, as `go list -json` wants them.
const listFields = "-json=Dir,ImportPath,Name,ForTest,DepOnly,Standard,Export,BuildID,GoFiles,CgoFiles," +
	"CompiledGoFiles,InvalidGoFiles,Imports,ImportMap,Module,Error"

type listError struct {
	ImportStack []string
	Pos         string
	Err         string
}

// path returns the import path without the test variant.
func (p *listed) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// resolve returns the ID under which the package lists what an import path in its source means.
func (p *listed) resolve(path string) string {
	if id, ok := p.ImportMap[path]; ok {
		return id
	}
	return path
}

// sources returns the paths of the Go files to parse, those that cgo wrote included.
func (p *listed) sources() []string {
	names := p.CompiledGoFiles
	if len(names) == 0 { // not compiled: a dependency is broken
		names = append(append([]string{}, p.GoFiles...), p.CgoFiles...)
	}
	var files []string
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		files = append(files, name)
	}
	return files
}

// hasTests reports whether a test file is among the package's files.
func (p *listed) hasTests() bool {
	return slices.ContainsFunc(p.GoFiles, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// goList asks the go command for the packages and all that they need, dependencies first. The strings are its warnings.
func goList(ctx context.Context, o Options) ([]*listed, []string, error) {
	args := []string{"list", "-e", "-export", "-compiled", "-deps", listFields}
	if o.Tests {
		args = append(args, "-test")
	}
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	args = append(args, "--")
	if len(o.Patterns) == 0 {
		args = append(args, "./...")
	}
	out, warnings, err := goCommand(ctx, o.Dir, append(args, o.Patterns...)...)
	if err != nil {
		return nil, nil, err
	}
	var pkgs []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list wrote what cannot be read: %w", err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs, warnings, nil
}

// goCommand runs the go command and returns what it wrote and the lines of its warnings. When it fails, the error holds
// what it said.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, []string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it removes its temporary files
	cmd.WaitDelay = 2 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var lines []string
	for line := range strings.Lines(stderr.String()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, nil, errors.New("the go command is not in PATH: doneby needs it to list packages")
	}
	if err != nil {
		said := strings.Join(lines, "; ")
		if said == "" {
			said = err.Error()
		}
		return nil, nil, fmt.Errorf("go %s failed: %s", args[0], said)
	}
	return stdout.Bytes(), lines, nil
}

// buildEnv is what the go command says about the build.
type buildEnv struct{ GOARCH, GOOS, GOVERSION, GOEXPERIMENT, GOFLAGS, CGO_ENABLED string }

func goEnv(ctx context.Context, dir string) (env buildEnv, err error) {
	out, _, err := goCommand(ctx, dir, "env", "-json", "GOARCH", "GOOS", "GOVERSION", "GOEXPERIMENT", "GOFLAGS", "CGO_ENABLED")
	if err != nil {
		return env, err
	}
	return env, json.Unmarshal(out, &env)
}
