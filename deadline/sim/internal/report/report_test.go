package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
	"github.com/doneby/doneby/deadline/sim/internal/shape"
)

// made is findings that were not found: all shares are a half.
func made() *Findings {
	f := &Findings{Scale: shape.Scale{Seeds: 3, Warm: time.Second, Length: time.Second, After: 60 * time.Second}}
	cell := func(name string) shape.Cell {
		c := model.Config{Servers: shape.Servers, Bin: 500 * time.Millisecond}
		c.Name = name
		return shape.Cell{Config: c, Success: 0.5, Goodput: 0.5, Median: 42 * time.Millisecond}
	}
	courses := func(names ...string) (out []shape.Course) {
		for _, n := range names {
			out = append(out, shape.Course{Cell: cell(n), Back: shape.Never, Bins: make([]model.Bin, 40)})
		}
		return out
	}
	for range pilot {
		f.Pilot = append(f.Pilot, shape.Steady{Cells: []shape.Cell{cell("C"), cell("E")}})
	}
	f.Checks = []shape.Check{{Name: "M/D/1", Unit: "ms", Want: 10, Got: 10.1}}
	for _, d := range shape.Deadlines() {
		f.SRE = append(f.SRE, shape.Bimodal{Deadline: d, Got: 0.5})
	}
	f.Shed = []shape.Shed{{Slow: 5, PublishedOff: 0.1, PublishedOn: 0.9, Off: cell("A"), On: cell("H")}}
	for _, law := range laws() {
		for _, load := range shape.Loads {
			s := shape.Steady{Law: law, Load: load}
			for _, v := range shape.Variants() {
				s.Cells = append(s.Cells, cell(v.Name))
			}
			f.Steady = append(f.Steady, s)
		}
		for _, d := range shape.Disciplines() {
			f.Queues = append(f.Queues, shape.Queued{Discipline: d.Name, Law: law, A: cell("A"), C: cell("C"), E: cell("E")})
		}
		all := []string{"A", "B", "B+", "G", "C", "H", "E", "F"}
		f.Trigger = append(f.Trigger, courses(all...))
		f.Jumps = append(f.Jumps, courses(append(all, "A, controlled delay")...))
		f.Others = append(f.Others, courses("A, one attempt"))
	}
	return f
}

// TestWrite: all figures of the page are filled in, each row of a table has as many cells as its head, and each picture is there.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := made().Write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "RESULTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, bad := range []string{"{{", "<no value>", "%!", "NaN"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	cells := 0
	for _, line := range strings.Split(page, "\n") {
		n := strings.Count(line, "|")
		if cells > 0 && n > 0 && n != cells {
			t.Errorf("a row of %d cells in a table of %d: %s", n-1, cells-1, line)
		}
		cells = n
	}
	pictures := regexp.MustCompile(`\]\((plots/[^)]*)\)`).FindAllStringSubmatch(page, -1)
	for _, p := range pictures {
		if _, err := os.Stat(filepath.Join(dir, p[1])); err != nil {
			t.Error(err)
		}
	}
	if drawn, err := os.ReadDir(filepath.Join(dir, "plots")); err != nil || len(drawn) != len(pictures) {
		t.Errorf("%d plots, and the page shows %d (%v)", len(drawn), len(pictures), err)
	}
	for _, want := range []string{"not in 60 s", "42 ms", "0.50 / 0.50", "18.1 s"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}
