package ruledoc

import (
	"fmt"
	"slices"
	"strings"
)

// Languages of blocks that are part of the test.
const (
	Go    = "go"       // a program
	Fixed = "go fixed" // the program before it, after its fixes
	Text  = "text"     // the output for the program before it
)

// Block is a fenced block.
type Block struct {
	Lang string
	Line int    // of the first line of Code
	Code string // with the final newline, without the fences
}

// Lines returns how many lines the code has.
func (b Block) Lines() int { return strings.Count(b.Code, "\n") }

type parser struct {
	file  string
	lines []string
	doc   Doc
}

func (p *parser) body() error {
	hasGo := false
	for i := 3; i < len(p.lines); i++ {
		line := p.lines[i]
		cur := &p.doc.Sections[len(p.doc.Sections)-1]
		switch {
		case strings.HasPrefix(line, "## "):
			p.doc.Sections = append(p.doc.Sections, Section{Heading: strings.TrimSpace(line[3:]), Line: i + 1})
			hasGo = false
		case strings.HasPrefix(line, "```"):
			end := p.fence(i)
			if end < 0 {
				return &Error{p.file, i + 1, "this block is never closed"}
			}
			b := Block{Lang: strings.TrimSpace(line[3:]), Line: i + 2, Code: strings.Join(p.lines[i+1:end], "\n") + "\n"}
			if end == i+1 {
				b.Code = ""
			}
			if (b.Lang == Fixed || b.Lang == Text) && !hasGo {
				return &Error{p.file, i + 1, fmt.Sprintf("a block of %q without a block of go before it in its section", b.Lang)}
			}
			hasGo = hasGo || b.Lang == Go
			cur.Blocks = append(cur.Blocks, b)
			i = end
		default:
			cur.Text += line + "\n"
		}
	}
	return nil
}

// fence returns the index of the line that closes the block opened at line i, or -1.
func (p *parser) fence(i int) int {
	if n := slices.Index(p.lines[i+1:], "```"); n >= 0 {
		return i + 1 + n
	}
	return -1
}

// Replace returns the README's text with the code of the given blocks replaced, keyed by Block.Line of the text as it was.
func Replace(text string, doc *Doc, code map[int]string) string {
	lines := strings.Split(text, "\n")
	blocks := doc.Blocks()
	for _, b := range slices.Backward(blocks) {
		repl, ok := code[b.Line]
		if !ok {
			continue
		}
		var in []string
		if repl = strings.TrimSuffix(repl, "\n"); repl != "" {
			in = strings.Split(repl, "\n")
		}
		lines = slices.Replace(lines, b.Line-1, b.Line-1+b.Lines(), in...)
	}
	return strings.Join(lines, "\n")
}
