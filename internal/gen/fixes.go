package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/ruledoc"
)

// fixesDir holds a file a rule: under the name of each kind a program with its finding, the same mended by the standard library,
// and the same with the runtime package. The test of this package runs all of them through the rules.
const fixesDir = "internal/gen/fixes"

// fixesPage is docs/fixes.md.
func fixesPage(root string) (string, error) {
	var b strings.Builder
	b.WriteString("# Fixes\n\nGenerated from `" + fixesDir + "` and `internal/kinds`: `go test ./internal/gen -update`. Every program is compiled, and run\n" +
		"through all the rules: the first of each kind is reported, the others are not.\n\n" +
		"A fix is the standard library's, or a call of the runtime package [`deadline`](../deadline/README.md), which takes no more than\n" +
		"the time that is left, keeps a reserve for the answer, refuses what would have too little, and says so in its error.\n")
	var without []string
	shared := map[string][]string{} // rules, by the kind that is named for a place
	for _, rule := range kinds.Rules {
		if !kinds.Built(rule) {
			continue
		}
		doc, err := readFixes(root, rule)
		if os.IsNotExist(err) {
			without = append(without, rule)
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n%s", rule, section(strings.TrimSpace(doc.Sections[0].Text)))
		for _, k := range kinds.All {
			if k.Rule != rule {
				continue
			}
			s, ok := doc.Section(k.Name)
			switch {
			case ok:
				b.WriteString(fixOf(k, s))
			case sharesFix(k):
				shared[k.Name] = append(shared[k.Name], rule)
			default:
				without = append(without, k.String())
			}
		}
	}
	b.WriteString(sharedFixes(shared))
	if len(without) > 0 {
		fmt.Fprintf(&b, "\n## Not written down yet\n\n%s.\n", strings.Join(without, ", "))
	}
	return b.String(), nil
}

// readFixes reads the file of a rule, and checks its form: each section is a kind of the rule, with three programs.
func readFixes(root, rule string) (*ruledoc.Doc, error) {
	name := fixesDir + "/" + rule + ".md"
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	doc, err := ruledoc.Parse(name, string(text))
	if err != nil {
		return nil, err
	}
	for _, s := range doc.Sections[1:] {
		if _, ok := kinds.Lookup(rule, s.Heading); !ok {
			return nil, &ruledoc.Error{File: name, Line: s.Line, Msg: fmt.Sprintf("%s has no kind %q", rule, s.Heading)}
		}
		if len(s.Blocks) != 3 {
			return nil, &ruledoc.Error{File: name, Line: s.Line,
				Msg: fmt.Sprintf("%d programs, where three belong: the finding, the fix by the standard library, the fix by the runtime package", len(s.Blocks))}
		}
		for i, b := range s.Blocks {
			if b.Lang != ruledoc.Go || wanted.MatchString(b.Code) != (i == 0) {
				return nil, &ruledoc.Error{File: name, Line: b.Line, Msg: "the first program of a kind, and no other, has a finding"}
			}
		}
	}
	return doc, nil
}

// fixOf is what the page says of one kind.
func fixOf(k kinds.Kind, s ruledoc.Section) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\nReported: %s.\n", k, k.Why)
	for i, intro := range []string{"", "By the standard library:\n", "With `deadline`:\n"} {
		b.WriteString(section(intro))
		fmt.Fprintf(&b, "\n```go\n%s```\n", readable(s.Blocks[i].Code))
		if i == 0 {
			b.WriteString(section(strings.Join(strings.Fields(s.Text), " ")))
		}
	}
	return b.String()
}

// section is a paragraph, if there is one.
func section(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + strings.TrimSpace(text) + "\n"
}

var wanted = regexp.MustCompile(`// want ("(?:[^"\\]|\\.)*")`)

// readable turns what a test wants into what a reader is told: the pattern is a sentence with its brackets escaped.
func readable(code string) string {
	return wanted.ReplaceAllStringFunc(code, func(comment string) string {
		quoted := wanted.FindStringSubmatch(comment)[1]
		pattern, err := strconv.Unquote(quoted)
		if err != nil {
			return comment // the test of the block says so
		}
		return "// " + strings.ReplaceAll(pattern, `\`, "")
	})
}
