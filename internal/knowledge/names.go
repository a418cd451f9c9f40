package knowledge

import (
	"go/token"
	"strings"
)

// ImportPath returns the import path of what the row is about.
func (r Row) ImportPath() string {
	path, _, _ := SplitName(r.Name)
	return path
}

// SplitName cuts the name of a function, method or type into its import path, the type (with * for a pointer receiver, "" for
// a function) and the function ("" for a type that is written with a *; a bare import/path.T reads as a function, since
// the text alone does not tell).
func SplitName(name string) (path, typ, fn string) {
	if rest, ok := strings.CutPrefix(name, "("); ok {
		recv, method, _ := strings.Cut(rest, ").")
		path, typ = cutLast(strings.TrimPrefix(recv, "*"))
		return path, star(recv) + typ, method
	}
	path, last := cutLast(strings.TrimPrefix(name, "*"))
	if star(name) != "" {
		return path, "*" + last, ""
	}
	return path, "", last
}

func star(name string) string {
	if strings.HasPrefix(name, "*") {
		return "*"
	}
	return ""
}

// cutLast cuts at the last dot: the last element of an import path may have dots of its own.
func cutLast(qualified string) (path, name string) {
	i := strings.LastIndexByte(qualified, '.')
	if i < 0 {
		return "", qualified
	}
	return qualified[:i], qualified[i+1:]
}

// isName reports whether text is a name as rows use them.
func isName(text string) bool {
	if strings.HasPrefix(text, "(") != strings.Contains(text, ").") {
		return false
	}
	path, typ, fn := SplitName(text)
	if path == "" || strings.ContainsAny(path, "()[]*,= ") {
		return false
	}
	if typ != "" && !token.IsIdentifier(strings.TrimPrefix(typ, "*")) {
		return false
	}
	return token.IsIdentifier(fn) || fn == "" && strings.HasPrefix(text, "*")
}

// plain removes type parameters: a generic method is found under the name of its type alone.
func plain(fullName string) string {
	if !strings.Contains(fullName, "[") {
		return fullName
	}
	var b strings.Builder
	depth := 0
	for _, c := range fullName {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}
