package gate

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Diff writes the changes as unified diffs that patch and git apply take, with paths relative to dir.
func (f *Fixed) Diff(w io.Writer, dir string) error {
	for _, c := range f.Changes {
		name := filepath.ToSlash(Path(dir, c.File))
		if _, err := io.WriteString(w, unified(name, string(c.Old), string(c.New))); err != nil {
			return err
		}
	}
	return nil
}

// An op is one line of a comparison: kept (' '), taken out ('-') or put in ('+').
type op struct {
	kind byte
	text string
}

// context is how many unchanged lines are shown around a change.
const context = 3

// unified returns the unified diff of two texts, or "" when they are equal.
func unified(name, a, b string) string {
	if a == b {
		return ""
	}
	ops := compareLines(splitLines(a), splitLines(b))
	var out strings.Builder
	fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n", name, name)
	lineA, lineB := 1, 1
	for i := 0; i < len(ops); {
		first := i
		for first < len(ops) && ops[first].kind == ' ' {
			first++
		}
		if first == len(ops) {
			break
		}
		start := max(i, first-context)
		lineA, lineB = lineA+start-i, lineB+start-i
		end := hunkEnd(ops, first)
		lineA, lineB = writeHunk(&out, ops[start:end], lineA, lineB)
		i = end
	}
	return out.String()
}

// hunkEnd returns where the hunk ends that holds the change at first: changes with little between them share one.
func hunkEnd(ops []op, first int) int {
	end, kept := first, 0
	for i := first; i < len(ops) && kept <= 2*context; i++ {
		if ops[i].kind == ' ' {
			kept++
			continue
		}
		end, kept = i+1, 0
	}
	return min(end+context, len(ops))
}

func writeHunk(out *strings.Builder, ops []op, lineA, lineB int) (nextA, nextB int) {
	var body strings.Builder
	countA, countB := 0, 0
	for _, o := range ops {
		if o.kind != '+' {
			countA++
		}
		if o.kind != '-' {
			countB++
		}
		body.WriteByte(o.kind)
		body.WriteString(o.text)
		if !strings.HasSuffix(o.text, "\n") {
			body.WriteString("\n\\ No newline at end of file\n")
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n%s", span(lineA, countA), span(lineB, countB), &body)
	return lineA + countA, lineB + countB
}

// span writes a range of lines; an empty one is named by the line before it.
func span(line, count int) string {
	if count == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, count)
}

func splitLines(s string) []string {
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, line)
	}
	return lines
}

// compareLines finds a shortest script of changes from a to b: Myers' greedy search, one step of edit distance at a time,
// over what is left when the equal lines at both ends are set aside.
func compareLines(a, b []string) []op {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var ops []op
	for _, line := range a[:head] {
		ops = append(ops, op{' ', line})
	}
	ops = append(ops, myers(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, line := range a[len(a)-tail:] {
		ops = append(ops, op{' ', line})
	}
	return ops
}

func myers(a, b []string) []op {
	reach := map[int]int{1: 0} // on each diagonal x-y, how far in a the search has come
	var steps []map[int]int
	for d := 0; ; d++ {
		before := make(map[int]int, len(reach))
		for k, x := range reach {
			before[k] = x
		}
		steps = append(steps, before)
		for k := -d; k <= d; k += 2 {
			x := reach[k-1] + 1
			if k == -d || k != d && reach[k-1] < reach[k+1] {
				x = reach[k+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[k] = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(a, b, steps)
			}
		}
	}
}

// backtrack walks the search back from the end and returns the script.
func backtrack(a, b []string, steps []map[int]int) []op {
	var reversed []op
	x, y := len(a), len(b)
	for d := len(steps) - 1; d >= 0; d-- {
		reach := steps[d]
		k := x - y
		from := k - 1
		if k == -d || k != d && reach[k-1] < reach[k+1] {
			from = k + 1
		}
		px := reach[from]
		py := px - from
		for x > px && y > py && x > 0 && y > 0 {
			x, y = x-1, y-1
			reversed = append(reversed, op{' ', a[x]})
		}
		if d == 0 {
			break
		}
		if x == px {
			y--
			reversed = append(reversed, op{'+', b[y]})
		} else {
			x--
			reversed = append(reversed, op{'-', a[x]})
		}
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return reversed
}
