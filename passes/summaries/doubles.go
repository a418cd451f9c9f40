package summaries

import (
	"go/ast"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/typeset"
)

// A stand-in for tests that lies beside its interface, as MockGen, mockery and counterfeiter write it, waits for nothing and
// says nothing of what the interface does in a running program.

// isDouble reports whether a type is such a stand-in: by its name, by what it is made of, or by the tool that wrote its file.
func isDouble(pass *analysis.Pass, tn *types.TypeName) bool {
	return namesDouble(tn.Name()) || embedsMock(tn.Type()) || writtenByMocker(pass, tn)
}

// standsIn reports whether *T, of another package, is a stand-in, as far as its name and what it is made of show.
func standsIn(t types.Type) bool {
	n := typeset.Named(t)
	return n != nil && (namesDouble(n.Obj().Name()) || embedsMock(n))
}

// namesDouble reports whether a name begins or ends with a word for a stand-in: MockStore, storeFake, NoopStore.
func namesDouble(name string) bool {
	low := strings.ToLower(name)
	for _, w := range [...]string{"mock", "fake", "stub", "dummy", "noop", "nop"} {
		if rest, ok := strings.CutPrefix(low, w); ok {
			next, _ := utf8.DecodeRuneInString(name[len(w):])
			if rest == "" || !unicode.IsLower(next) {
				return true
			}
		}
		if strings.HasSuffix(name, strings.ToUpper(w[:1])+w[1:]) {
			return true
		}
	}
	return false
}

// embedsMock reports whether a struct holds the controller of gomock or the recorder of testify.
func embedsMock(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		switch typeset.Name(f.Type()) {
		case "*go.uber.org/mock/gomock.Controller", "*github.com/golang/mock/gomock.Controller", "github.com/stretchr/testify/mock.Mock":
			return true
		}
	}
	return false
}

// writtenByMocker reports whether a tool that writes stand-ins wrote the file in which a type is declared.
func writtenByMocker(pass *analysis.Pass, tn *types.TypeName) bool {
	for _, f := range pass.Files {
		if f.FileStart > tn.Pos() || tn.Pos() > f.FileEnd {
			continue
		}
		return ast.IsGenerated(f) && saysMocker(f)
	}
	return false
}

// saysMocker reports whether the comments before a file's package clause name a tool that writes stand-ins.
func saysMocker(f *ast.File) bool {
	for _, g := range f.Comments {
		if g.Pos() > f.Package {
			break
		}
		text := strings.ToLower(g.Text())
		for _, tool := range [...]string{"mock", "moq", "counterfeiter"} {
			if strings.Contains(text, tool) {
				return true
			}
		}
	}
	return false
}
