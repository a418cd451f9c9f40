package rewrites

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// cutImport takes an import away, with its lines or, if it is alone, with its declaration, and with the blank lines that
// gofmt would not leave: not every driver formats what it fixed.
func (s *site) cutImport(path string) (analysis.TextEdit, bool) {
	for i, decl := range s.file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		j := slices.IndexFunc(d.Specs, func(x ast.Spec) bool { return x.(*ast.ImportSpec).Path.Value == `"`+path+`"` })
		switch {
		case j < 0:
			continue
		case len(d.Specs) == 1:
			return cut(s, s.file.Decls, i, s.file.Name.End())
		default:
			return cut(s, d.Specs, j, d.Lparen)
		}
	}
	return analysis.TextEdit{}, false
}

// cut takes the lines of one node of a list away. The list begins after opening.
func cut[N ast.Node](s *site, nodes []N, i int, opening token.Pos) (analysis.TextEdit, bool) {
	tf := s.pass.Fset.File(s.file.FileStart)
	first, last := tf.Line(withDoc(nodes[i])), tf.Line(nodes[i].End())
	before, after := tf.Line(opening), last+1 // the last line before it, the first after it
	if i > 0 {
		before = tf.Line(nodes[i-1].End())
	}
	if i+1 < len(nodes) {
		after = tf.Line(withDoc(nodes[i+1]))
	}
	switch {
	case before == first || after == last:
		return analysis.TextEdit{}, false // something else stands on its lines
	case s.commented(tf.LineStart(before+1), tf.LineStart(first)) || s.commented(tf.LineStart(last+1), tf.LineStart(after)):
		after = last + 1 // comments between the imports stay
	case i+1 == len(nodes):
		first = before + 1
	case before+1 == first && i > 0:
		after = last + 1 // a blank line after it ends a group that goes on before it
	}
	return edit(tf.LineStart(first), tf.LineStart(after), ""), true
}

// withDoc returns where a declaration or an import begins, its comment included.
func withDoc(n ast.Node) token.Pos {
	var doc *ast.CommentGroup
	switch n := n.(type) {
	case *ast.GenDecl:
		doc = n.Doc
	case *ast.FuncDecl:
		doc = n.Doc
	case *ast.ImportSpec:
		doc = n.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}
