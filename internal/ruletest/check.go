package ruletest

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// check compares what was said about a program with what its README says; out gets the texts of blocks
// that say something else.
func (p *program) check(bad *problems, readme string, r *result, out map[int]string) {
	for _, f := range p.files {
		checkWants(bad, readme, f, r)
	}
	if p.text != nil {
		if got := r.print(); got != p.text.Code {
			out[p.text.Line] = got
			bad.addf("%s:%d: the output is\n%s", readme, p.text.Line, got)
		}
	}
	if p.fixed == nil {
		return
	}
	got, err := p.apply(r.edits)
	if err != nil {
		bad.addf("%s:%d: %v", readme, p.block.Line, err)
		return
	}
	if want := p.fixed.plain(); got != want {
		out[p.fixed.block.Line] = got
		bad.addf("%s:%d: the fixes make\n%s", readme, p.fixed.block.Line, got)
	}
}

// apply returns the block after the edits, without want comments and without what was added in front.
func (p *program) apply(edits []edit) (string, error) {
	slices.SortFunc(edits, func(a, b edit) int {
		return 4*strings.Compare(a.file, b.file) + 2*sign(a.start-b.start) + sign(a.end-b.end)
	})
	edits = slices.Compact(edits) // two findings may add the same import
	after := &program{}
	for _, f := range p.files {
		src, last := p.source(f), 0
		var b strings.Builder
		for _, e := range edits {
			if e.file != f.name {
				continue
			}
			if e.start < last {
				return "", fmt.Errorf("two fixes of %s overlap", f.name)
			}
			b.WriteString(src[last:e.start] + e.text)
			last = e.end
		}
		b.WriteString(src[last:])
		code := strings.ReplaceAll(b.String(), `"`+p.root+"/", `"example.com/`)
		if f.header != "" {
			var err error
			if code, err = withoutHeader(code); err != nil {
				return "", err
			}
		}
		after.files = append(after.files, &file{name: f.name, code: code})
	}
	return after.plain(), nil
}

func sign(n int) int { return max(-1, min(1, n)) }

// plain returns the block without want comments, formatted.
func (p *program) plain() string {
	ar := &txtar.Archive{}
	for _, f := range p.files {
		code := wantComment.ReplaceAllString(f.code, "")
		if nice, err := format.Source([]byte(code)); err == nil {
			code = string(nice)
		}
		ar.Files = append(ar.Files, txtar.File{Name: f.name, Data: []byte(code)})
	}
	if len(ar.Files) == 1 && ar.Files[0].Name == "example.go" {
		return string(ar.Files[0].Data)
	}
	return string(txtar.Format(ar))
}

// withoutHeader cuts package clause and imports.
func withoutHeader(code string) (string, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "", code, parser.ParseComments|parser.ImportsOnly)
	if err != nil {
		return "", err
	}
	end := syntax.Name.End()
	for _, d := range syntax.Decls {
		end = d.End()
	}
	return strings.TrimLeft(code[fset.Position(end).Offset:], "; \n"), nil
}

var (
	wantComment = regexp.MustCompile("[ \t]*// want ([^\n]*)")
	wantItem    = regexp.MustCompile("^\\s*(?:(\\w+):)?(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
)

// checkWants matches the file's want comments with findings and facts, one to one; facts that no comment names are fine.
func checkWants(bad *problems, readme string, f *file, r *result) {
	open := slices.DeleteFunc(slices.Clone(r.found), func(x finding) bool { return x.file != f.name })
	for i, line := range strings.Split(f.code, "\n") {
		m := wantComment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for rest := m[1]; strings.TrimSpace(rest) != ""; {
			item := wantItem.FindStringSubmatch(rest)
			if item == nil {
				bad.addf("%s:%d: after want stand quoted patterns, or Name:\"pattern\"", readme, f.line+i)
				break
			}
			rest = rest[len(item[0]):]
			re, err := compile(item[2])
			if err != nil {
				bad.addf("%s:%d: %v", readme, f.line+i, err)
				continue
			}
			if item[1] != "" {
				if !r.hasFact(f.name, i+1, item[1], re) {
					bad.addf("%s:%d: no fact about %s matches %q; it has %q", readme, f.line+i, item[1], re, r.factsOf(f.name, i+1, item[1]))
				}
				continue
			}
			n := slices.IndexFunc(open, func(x finding) bool { return x.line == i+1 && x.matches(re) })
			if n < 0 {
				bad.addf("%s:%d: no finding here matches %q", readme, f.line+i, re)
				continue
			}
			open = slices.Delete(open, n, n+1)
		}
	}
	for _, x := range open {
		bad.addf("%s:%d: nothing is wanted here, and %s says %q", readme, f.line+x.line-1, x.rule, x.message)
	}
}

// matches reports whether re matches what was said, with or without the kind in front.
func (x finding) matches(re *regexp.Regexp) bool {
	return re.MatchString(x.message) || re.MatchString(x.rule+"/"+x.kind+": "+x.message)
}

func compile(quoted string) (*regexp.Regexp, error) {
	s, err := strconv.Unquote(quoted)
	if err != nil {
		return nil, err
	}
	return regexp.Compile(s)
}

func (r *result) hasFact(file string, line int, name string, re *regexp.Regexp) bool {
	return slices.ContainsFunc(r.factsOf(file, line, name), re.MatchString)
}

func (r *result) factsOf(file string, line int, name string) (out []string) {
	for _, f := range r.facts {
		if f.file == file && f.line == line && f.name == name {
			out = append(out, f.text)
		}
	}
	return out
}
