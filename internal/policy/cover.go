package policy

import (
	"go/ast"
	"go/token"
)

// place says which lines each directive covers. Behind code it covers its line. On a line of its own it covers what begins
// on the line below its comment group, a declaration or a statement, to its end. A nolint above the package clause covers
// the file, as golangci-lint has it.
func place(fset *token.FileSet, file *ast.File, ds []Directive) {
	groups := map[int]int{} // the line of a directive → the line below its comment group
	for _, group := range file.Comments {
		below := line(fset, group.End()) + 1
		for _, c := range group.List {
			groups[line(fset, c.Pos())] = below
		}
	}
	starts, code := lines(fset, file)
	for i := range ds {
		d := &ds[i]
		at := line(fset, d.Pos)
		d.first, d.last = at, at
		if code[at] {
			continue
		}
		d.last = max(groups[at], starts[groups[at]])
		d.whole = d.whole || d.Form == Nolint && groups[at] == line(fset, file.Package)
	}
}

// lines returns, for each line on which something begins, the last line of the longest that does; and the lines on which
// code begins or ends.
func lines(fset *token.FileSet, file *ast.File) (starts map[int]int, code map[int]bool) {
	starts, code = map[int]int{}, map[int]bool{line(fset, file.Package): true}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.File:
			return true
		}
		from, to := line(fset, n.Pos()), line(fset, n.End()-1)
		code[from], code[to] = true, true
		starts[from] = max(starts[from], to)
		return true
	})
	return starts, code
}

func line(fset *token.FileSet, pos token.Pos) int { return fset.PositionFor(pos, false).Line }

// covers reports whether the directive is about that line of its file.
func (d *Directive) covers(at int) bool { return d.whole || d.first <= at && at <= d.last }
