package gate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/doneby/doneby/internal/driver"
)

// Change is what fixes make of one file.
type Change struct {
	File     string
	Old, New []byte
}

// Fixed is the outcome of applying fixes.
type Fixed struct {
	Changes []Change         // sorted by file
	Left    []driver.Finding // findings without a fix, or whose fix was skipped
	Skipped int              // fixes that overlap another; a second run finds them again
}

// Fix applies the first fix of each finding, in memory. A fix is applied whole or not at all: one that touches what an
// earlier one changes is skipped, except that what both put in at the same place (an import) is put in once.
func Fix(findings []driver.Finding) (*Fixed, error) {
	out := new(Fixed)
	taken := make(map[string][]driver.Edit)
	for _, f := range findings {
		if len(f.Fixes) == 0 {
			out.Left = append(out.Left, f)
			continue
		}
		if !accept(taken, f.Fixes[0].Edits) {
			out.Skipped++
			out.Left = append(out.Left, f)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(taken)) {
		old, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("a file to fix cannot be read: %w", err)
		}
		text, err := apply(old, taken[file])
		if err != nil {
			return nil, fmt.Errorf("%s: the fixes do not fit it: %w", file, err)
		}
		if !bytes.Equal(old, text) {
			out.Changes = append(out.Changes, Change{file, old, text})
		}
	}
	return out, nil
}

// accept adds the edits to those taken, all or none.
func accept(taken map[string][]driver.Edit, edits []driver.Edit) bool {
	var fresh []driver.Edit
	for _, e := range edits {
		if slices.Contains(taken[e.File], e) {
			continue // the same change, such as an import that two fixes need
		}
		if slices.ContainsFunc(taken[e.File], func(t driver.Edit) bool { return overlap(t, e) }) {
			return false
		}
		fresh = append(fresh, e)
	}
	for _, e := range fresh {
		taken[e.File] = append(taken[e.File], e)
	}
	return true
}

// overlap reports whether two edits touch the same bytes, or put something in at the same place, in an order that nobody
// said.
func overlap(a, b driver.Edit) bool {
	if a.Start == b.Start {
		return true
	}
	return a.Start < b.End && b.Start < a.End
}

// apply makes the edits and formats the result. Text that does not parse is a mistake of the fix: nothing is written then.
func apply(old []byte, edits []driver.Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b driver.Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(old) {
			return nil, fmt.Errorf("bytes %d to %d are not in the file, which has %d: did it change since it was analysed?", e.Start, e.End, len(old))
		}
		out.Write(old[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(old[at:])
	text, err := format.Source(out.Bytes())
	if err != nil {
		return nil, err
	}
	if bytes.Contains(old, []byte("\r\n")) { // gofmt ends lines as Unix does; the file keeps its own way
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return text, nil
}

// Write writes the changed files, each whole or not at all, with the mode that it had.
func (f *Fixed) Write() error {
	for _, c := range f.Changes {
		if err := writeFile(c.File, c.New); err != nil {
			return fmt.Errorf("%s cannot be written: %w", c.File, err)
		}
	}
	return nil
}

func writeFile(name string, data []byte) error {
	name, err := filepath.EvalSymlinks(name) // a link stays a link
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".doneby-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	_, err = tmp.Write(data)
	err = cmp.Or(err, tmp.Chmod(info.Mode().Perm()), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
