package policy

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/passes/settings"
)

// fileOf returns the file of the pass that holds pos, or nil.
func fileOf(pass *analysis.Pass, pos token.Pos) *ast.File {
	if !pos.IsValid() {
		return nil
	}
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}

// Reported reports whether findings in that file reach the user: it is not generated, and no test file unless tests count.
func Reported(pass *analysis.Pass, f *ast.File) bool {
	if isTest(pass.Fset, f) && !settings.Of(pass).Tests {
		return false
	}
	return !isGenerated(pass.Fset, f)
}

func isTest(fset *token.FileSet, f *ast.File) bool {
	return strings.HasSuffix(fset.Position(f.Package).Filename, "_test.go")
}

// generated is the line by which Go's tools know a generated file, in its two parts: by what, and the rest.
var generated = regexp.MustCompile(`^// Code generated (.*) DO NOT EDIT\.$`)

// isGenerated reports whether a tool wrote the file. What cmd/cgo makes of a user's file does not count: its positions are
// those of the user's file, whose own comments come along.
func isGenerated(fset *token.FileSet, f *ast.File) bool {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			by := generated.FindStringSubmatch(c.Text)
			if by == nil {
				continue
			}
			if strings.HasPrefix(by[1], "by cmd/cgo") && cgoOriginal(fset, f) {
				continue
			}
			return true
		}
	}
	return false
}

// cgoOriginal reports whether positions in a file that cmd/cgo wrote are those of a Go file of the user's.
func cgoOriginal(fset *token.FileSet, f *ast.File) bool {
	written := filepath.Base(fset.PositionFor(f.Package, false).Filename)
	said := filepath.Base(fset.PositionFor(f.Package, true).Filename)
	return said != written && strings.HasSuffix(said, ".go")
}
