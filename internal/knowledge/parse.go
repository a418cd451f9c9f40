package knowledge

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// SyntaxError says where a table is wrong, and what would be right there.
type SyntaxError struct {
	File      string
	Line, Col int // from 1; Col counts bytes
	Msg       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Parse reads a table. name stands in errors and in the rows' File. The error is a *SyntaxError, or what r returned.
func Parse(name string, r io.Reader) ([]Row, error) {
	var rows []Row
	seen := map[string]int{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	line := 0
	for scanner.Scan() {
		line++
		words := split(strings.TrimPrefix(scanner.Text(), "\ufeff"))
		if len(words) == 0 {
			continue
		}
		p := &parser{file: name, line: line}
		row, err := p.row(words)
		if err != nil {
			return nil, err
		}
		if before, ok := seen[row.Name]; ok {
			return nil, p.errorf(words[0].col, "%s has a row already, at line %d: remove one", row.Name, before)
		}
		seen[row.Name] = line
		rows = append(rows, row)
	}
	if err := scanner.Err(); err != nil {
		return nil, &SyntaxError{File: name, Line: line + 1, Col: 1, Msg: "cannot read: " + err.Error()}
	}
	return rows, nil
}

// word is a blank-separated piece of a line, and the column at which it begins.
type word struct {
	text string
	col  int
}

// split cuts a line into words; a word that begins with # begins a comment.
func split(line string) []word {
	var words []word
	for i := 0; i < len(line); {
		if isBlank(line[i]) {
			i++
			continue
		}
		if line[i] == '#' {
			break
		}
		start := i
		for i < len(line) && !isBlank(line[i]) {
			i++
		}
		words = append(words, word{line[start:i], start + 1})
	}
	return words
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// parser reads the words of one line.
type parser struct {
	file string
	line int
}

func (p *parser) errorf(col int, format string, args ...any) *SyntaxError {
	return &SyntaxError{File: p.file, Line: p.line, Col: col, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) row(words []word) (Row, error) {
	row := Row{Name: words[0].text, File: p.file, Line: p.line, Col: words[0].col}
	if !isName(row.Name) {
		return row, p.errorf(words[0].col, "%q is no name: write import/path.Func, (import/path.T).Method, (*import/path.T).Method or, for a type, import/path.T or *import/path.T", row.Name)
	}
	if len(words) == 1 {
		return row, p.errorf(words[0].col+len(row.Name), "%s has no verb: add one of %s", row.Name, list(verbs()))
	}
	row.Verb = Verb(words[1].text)
	grammar, ok := grammars[row.Verb]
	if !ok {
		return row, p.errorf(words[1].col, "unknown verb %q: the verbs are %s", words[1].text, list(verbs()))
	}
	seen := map[string]bool{}
	for _, w := range words[2:] {
		key, value, isKey := strings.Cut(w.text, "=")
		if seen[key] {
			return row, p.errorf(w.col, "%s is given twice: write it once", key)
		}
		seen[key] = true
		if err := p.property(&row, grammar, w.col, key, value, isKey); err != nil {
			return row, err
		}
	}
	if missing := grammar.missing(seen); missing != "" {
		return row, p.errorf(words[1].col, "%s says too little: add %s", row.Verb, missing)
	}
	return row, nil
}

// property reads one key=value or one flag into row.
func (p *parser) property(row *Row, g grammar, col int, key, value string, isKey bool) error {
	set, known := keys[key]
	flag, isFlag := flags[key]
	switch {
	case isKey && isFlag:
		return p.errorf(col, "%s is a flag: write it without a value", key)
	case !isKey && known:
		return p.errorf(col, "%s needs a value: write %s=%s", key, key, set.example)
	case isKey && !known:
		return p.errorf(col, "unknown key %q: the keys of %s are %s", key, row.Verb, list(g.keys))
	case !isKey && !isFlag:
		return p.errorf(col, "unknown flag %q: the flags of %s are %s", key, row.Verb, list(g.flags))
	case !g.allows(key):
		return p.errorf(col, "%s does not go with %s: its keys are %s, its flags %s", key, row.Verb, list(g.keys), list(g.flags))
	case isFlag:
		*flag(row) = true
		return nil
	}
	if err := set.read(row, value); err != nil {
		return p.errorf(col+len(key)+1, "%s=%s: %v", key, value, err)
	}
	return nil
}

func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
