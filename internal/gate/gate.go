// Package gate turns a report into what a user or a machine reads, and into an exit status. It also applies fixes.
package gate

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/doneby/doneby/internal/driver"
)

// The exit statuses.
const (
	Clean       = 0
	Found       = 1   // findings, or with -diff a difference
	Failed      = 2   // something could not be analysed, or command line, config or table is wrong
	Interrupted = 130 // as a shell says of a process that Ctrl-C ended
)

// Status returns the exit status that a report asks for. That something could not be analysed weighs more than findings:
// without it there might be more of them.
func Status(r *driver.Report) int {
	switch {
	case len(r.Problems) > 0:
		return Failed
	case len(r.Findings) > 0:
		return Found
	}
	return Clean
}

// Text writes findings as path:line:col: rule: message, and under each its related lines, indented. Paths are relative to
// dir.
func Text(w io.Writer, dir string, findings []driver.Finding) error {
	for _, f := range findings {
		if _, err := fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", Path(dir, f.File), f.Line, f.Col, f.Rule, f.Message); err != nil {
			return err
		}
		for _, rel := range f.Related {
			if _, err := fmt.Fprintf(w, "\t%s:%d:%d: %s\n", Path(dir, rel.File), rel.Line, rel.Col, rel.Message); err != nil {
				return err
			}
		}
	}
	return nil
}

// Path returns name relative to dir, if it is the shorter for it: a file elsewhere keeps its whole path.
func Path(dir, name string) string {
	rel, err := filepath.Rel(dir, name)
	if err != nil || strings.HasPrefix(rel, filepath.Join("..", "..", "..")) {
		return name
	}
	return rel
}

// Problems writes what could not be analysed, a line each, with what is known of it indented below.
func Problems(w io.Writer, dir string, problems []driver.Problem) {
	prefix := dir + string(filepath.Separator)
	for _, p := range problems {
		fmt.Fprintf(w, "doneby: %s\n", strings.ReplaceAll(p.String(), prefix, ""))
		for _, line := range p.Details {
			fmt.Fprintf(w, "\t%s\n", strings.ReplaceAll(line, prefix, ""))
		}
	}
}
