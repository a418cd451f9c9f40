package rowtest

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
)

// instance gives type arguments to a generic function or type: int, or, where a constraint asks for ~[]E and the like, that.
func instance(generic types.Type, params *types.TypeParamList) (types.Type, bool) {
	var args []types.Type
	for tp := range params.TypeParams() {
		args = append(args, argument(tp, 0))
	}
	t, err := types.Instantiate(nil, generic, args, true)
	return t, err == nil
}

// argument is what stands for a type parameter.
func argument(tp *types.TypeParam, depth int) types.Type {
	iface, ok := tp.Constraint().Underlying().(*types.Interface)
	if ok && iface.NumEmbeddeds() == 1 && depth < 3 {
		if u, ok := iface.EmbeddedType(0).(*types.Union); ok && u.Len() == 1 {
			return filled(u.Term(0).Type(), depth+1)
		}
	}
	return types.Typ[types.Int]
}

// filled is a constraint's type with arguments for the parameters in it.
func filled(t types.Type, depth int) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		return argument(t, depth)
	case *types.Slice:
		return types.NewSlice(filled(t.Elem(), depth))
	case *types.Pointer:
		return types.NewPointer(filled(t.Elem(), depth))
	case *types.Map:
		return types.NewMap(filled(t.Key(), depth), filled(t.Elem(), depth))
	}
	return t
}

// imports gives the packages of a file their names.
type imports struct {
	names map[string]string // by path
	taken map[string]bool
}

func newImports() *imports { return &imports{map[string]string{}, map[string]bool{}} }

// name returns the name of a package in the file, and imports it.
func (i *imports) name(importPath string) string {
	if n, ok := i.names[importPath]; ok {
		return n
	}
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(importPath)) // …/pgx/v5
	}
	base = strings.Map(func(r rune) rune {
		if r == '-' || r == '.' {
			return '_'
		}
		return r
	}, base)
	n := base
	for k := 2; i.taken[n] || !token.IsIdentifier(n) || types.Universe.Lookup(n) != nil; k++ {
		n = fmt.Sprintf("%s%d", base, k)
	}
	i.names[importPath], i.taken[n] = n, true
	return n
}

// text writes the imports of those that the body names.
func (i *imports) text(body string) string {
	var lines []string
	for p, n := range i.names {
		if regexp.MustCompile(`\b` + n + `\.`).MatchString(body) {
			lines = append(lines, fmt.Sprintf("import %s %q\n", n, p))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// typeText writes a type as the file can name it.
func (i *imports) typeText(t types.Type) (string, error) {
	if !nameable(t) {
		return "", cannot("a type that cannot be named")
	}
	return types.TypeString(t, func(p *types.Package) string { return i.name(p.Path()) }), nil
}

// nameable reports whether another package can write the type.
func nameable(t types.Type) bool {
	switch t := t.(type) {
	case *types.Named:
		return visible(t.Obj()) && every(slices.Collect(t.TypeArgs().Types()))
	case *types.Alias:
		return visible(t.Obj()) && every(slices.Collect(t.TypeArgs().Types()))
	case *types.Map:
		return nameable(t.Key()) && nameable(t.Elem())
	case *types.Signature:
		return every(typesOf(t.Params())) && every(typesOf(t.Results()))
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel
		return nameable(t.Elem())
	case *types.TypeParam:
		return false
	}
	return true
}

func every(list []types.Type) bool {
	return !slices.ContainsFunc(list, func(t types.Type) bool { return !nameable(t) })
}

func typesOf(tuple *types.Tuple) []types.Type {
	var out []types.Type
	for v := range tuple.Variables() {
		out = append(out, v.Type())
	}
	return out
}

// visible reports whether another module can use the name.
func visible(obj *types.TypeName) bool {
	p := obj.Pkg()
	return p == nil || obj.Exported() && !slices.Contains(strings.Split(p.Path(), "/"), "internal") && !strings.HasPrefix(p.Path(), "vendor/")
}
