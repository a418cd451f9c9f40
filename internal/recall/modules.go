package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/doneby/doneby/internal/driver"
)

// module is a real module, copied to a directory of its own.
type module struct {
	name    string // path@version
	dir     string
	listing *driver.Listing
	before  map[finding]bool  // what the rules say about the module as it is
	spoken  map[string][]int  // the lines of those findings, by file
	broken  map[string]bool   // what could not be analysed from the start
	lines   int               // of Go, tests, generated and vendored files left out
	files   map[string][]byte // the text of the files that have sites
}

// readList reads a file with a module@version on each line, # beginning a comment.
func readList(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the list of modules cannot be read: %w", err)
	}
	var names []string
	line := 0
	for l := range strings.Lines(string(text)) {
		line++
		l, _, _ = strings.Cut(l, "#")
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if path, version, ok := strings.Cut(l, "@"); !ok || path == "" || !strings.HasPrefix(version, "v") || strings.ContainsAny(l, " \t") {
			return nil, fmt.Errorf("%s:%d:1: %q is no module@version: write one as example.com/module@v1.2.3", name, line, l)
		}
		names = append(names, l)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s names no module", name)
	}
	return names, nil
}

// fetch downloads the module and copies it out of the module cache, where it could not be a main module.
func fetch(ctx context.Context, dir, name string) (*module, error) {
	m := &module{name: name, dir: filepath.Join(dir, "modules", filepath.FromSlash(name)), listing: new(driver.Listing), files: map[string][]byte{}}
	if _, err := os.Stat(filepath.Join(m.dir, "go.mod")); err == nil {
		return m, nil
	}
	fmt.Fprintln(os.Stderr, "recall: downloading", name)
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", name)
	cmd.Dir = os.TempDir()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var said struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &said); err != nil || jsonErr != nil || said.Dir == "" {
		return nil, fmt.Errorf("go mod download %s failed: %s%s", name, said.Error, errs.String())
	}
	part := m.dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return nil, err
	}
	if err := copyTree(part, said.Dir); err != nil {
		return nil, err
	}
	return m, os.Rename(part, m.dir) // so that a copy is there whole or not at all
}

// copyTree copies regular files, which it makes writable.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o666)
	})
}
