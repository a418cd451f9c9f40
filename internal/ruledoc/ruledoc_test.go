package ruledoc

import (
	"strings"
	"testing"
)

const sample = `# slow

report waits that nothing ends.

## Why

Because.

## Reported

` + "```go\nfunc f() {}\n```\n\n```text\nold\n```" + `

## Reported across functions

## Not reported

` + "```sh\nls\n```" + `

## On purpose

## Limits
`

func TestParse(t *testing.T) {
	d, err := Parse("README.md", sample)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.CheckRule("README.md"); err != nil {
		t.Error(err)
	}
	if d.Name != "slow" || d.Title != "report waits that nothing ends" {
		t.Errorf("name %q, title %q", d.Name, d.Title)
	}
	if got := Help(sample); got != "report waits that nothing ends\n\nBecause." {
		t.Errorf("help %q", got)
	}
	bs := d.Blocks()
	if len(bs) != 3 || bs[0] != (Block{Go, 12, "func f() {}\n"}) || bs[1].Lang != Text || bs[2].Lang != "sh" {
		t.Errorf("blocks %+v", bs)
	}
	got := Replace(sample, d, map[int]string{bs[1].Line: "new\nlines\n"})
	if want := strings.Replace(sample, "old\n", "new\nlines\n", 1); got != want {
		t.Errorf("replaced:\n%s", got)
	}
	if got := Replace(sample, d, nil); got != sample {
		t.Errorf("nothing replaced, yet:\n%s", got)
	}
}

func TestErrors(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, want string }{
		"no name":       {"# slow", "slow", "README.md:1: a README begins"},
		"no title":      {"report waits that nothing ends.", "", "README.md:1: a README begins"},
		"title":         {"report waits", "find waits", `README.md:3: the title of a rule begins with "report"`},
		"order":         {"## Why", "## Limits", `README.md:5: heading "Limits", where "Why" belongs`},
		"missing":       {"## Limits\n", "", `the heading "Limits" is missing`},
		"another":       {"## Limits\n", "## Limits\n\n## More\n", `heading "More" is not one of a rule's`},
		"open fence":    {"ls\n```", "ls", "README.md:23: this block is never closed"},
		"text alone":    {"```sh", "```text", `a block of "text" without a block of go`},
		"fixed alone":   {"```sh", "```go fixed", `a block of "go fixed" without a block of go`},
		"nothing wrong": {"Because", "Since", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Parse("README.md", strings.Replace(sample, tt.old, tt.new, 1))
			if err == nil {
				err = d.CheckRule("README.md")
			}
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
