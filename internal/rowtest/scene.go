package rowtest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

// cannot is why there is no program for a row: the kind of thing that is missing.
type cannot string

func (c cannot) Error() string { return string(c) }

// scene is one function that is being written around the call that a row is about. What the call needs and nothing is said
// of becomes a parameter of the function, so that all of its origins are unknown.
type scene struct {
	w       *world
	row     knowledge.Row
	fn      callee
	imports *imports
	name    string
	look    string // the function whose verdicts count
	params  []string
	lonely  bool              // no parameter may bring a context
	given   map[string]string // by place: the expression that stands there
	before  []string
	decls   []string // beside the function
	next    int
	handles int  // how many other functions of the tables are called
	opened  bool // one of them waits
	noIO    bool // what the call makes is not to be read from or written to: that ends by a connection's deadline
}

// fresh is a name that the function does not have yet.
func (s *scene) fresh(prefix string) string {
	s.next++
	return fmt.Sprintf("%s%d", prefix, s.next)
}

// param makes a parameter of the function; nil, where that would bring a context which is not to be there.
func (s *scene) param(t types.Type) (string, error) {
	text, err := s.imports.typeText(t)
	if err != nil {
		return "", err
	}
	if s.lonely && s.w.carries(t) {
		return "(*new(" + text + "))", nil
	}
	name := s.fresh("a")
	s.params = append(s.params, name+" "+text)
	return name, nil
}

// put says what stands at a place of the call that the scene is about.
func (s *scene) put(p knowledge.Place, expr string) {
	p.Sel = ""
	s.given[p.String()] = expr
}

func (s *scene) do(format string, args ...any) {
	s.before = append(s.before, fmt.Sprintf(format, args...))
}

// call writes the call of the row, its result at that index in a variable of which the name is returned; none when keep is
// negative.
func (s *scene) call(keep int) (string, error) { return s.callOf(s.fn, s.given, keep) }

func (s *scene) callOf(fn callee, given map[string]string, keep int) (string, error) {
	expr, err := s.expression(fn, given)
	if err != nil {
		return "", err
	}
	n := fn.sig.Results().Len()
	if n == 0 {
		s.do("%s", expr)
		return "", nil
	}
	left := slices.Repeat([]string{"_"}, n)
	if keep < 0 || keep >= n {
		s.do("%s = %s", strings.Join(left, ", "), expr)
		return "", nil
	}
	name := s.fresh("x")
	left[keep] = name
	s.do("%s := %s", strings.Join(left, ", "), expr)
	return name, nil
}

// expression writes a call; the places in given stand, all else is a parameter.
func (s *scene) expression(fn callee, given map[string]string) (string, error) {
	if fn.why != "" {
		return "", cannot(fn.why)
	}
	var b strings.Builder
	if fn.recv == nil {
		b.WriteString(s.imports.name(fn.obj.Pkg().Path()))
	} else {
		recv, ok := given["recv"]
		if !ok {
			var err error
			if recv, err = s.param(fn.recv); err != nil {
				return "", cannot("a receiver of a type that cannot be named")
			}
		}
		b.WriteString(recv)
	}
	b.WriteString("." + fn.obj.Name())
	if n := fn.obj.Signature().TypeParams().Len(); n > 0 && fn.recv == nil {
		b.WriteString("[" + s.typeArguments(fn) + "]")
	}
	args, err := s.arguments(fn, given)
	return b.String() + "(" + strings.Join(args, ", ") + ")", err
}

func (s *scene) typeArguments(fn callee) string {
	var args []string
	for tp := range fn.obj.Signature().TypeParams().TypeParams() {
		text, _ := s.imports.typeText(argument(tp, 0))
		args = append(args, text)
	}
	return strings.Join(args, ", ")
}

func (s *scene) arguments(fn callee, given map[string]string) ([]string, error) {
	var args []string
	for i := range fn.sig.Params().Len() {
		place := knowledge.Place{Kind: knowledge.Param, Index: i}
		last := fn.sig.Variadic() && i == fn.sig.Params().Len()-1
		expr, ok := given[place.String()]
		switch {
		case ok:
		case last:
			if expr, ok = given["opts"]; !ok {
				continue // no options
			}
		case s.constant(fn, i) != "":
			expr = s.constant(fn, i)
		default:
			var err error
			if expr, err = s.param(fn.sig.Params().At(i).Type()); err != nil {
				return nil, cannot("a parameter of a type that cannot be named")
			}
		}
		args = append(args, expr)
	}
	return args, nil
}

// constant is the network that makes a call one that waits, or "".
func (s *scene) constant(fn callee, i int) string {
	row, ok := s.w.tables.Func(rowName(fn.obj.Origin().FullName()))
	if !ok || row.Network.Kind != knowledge.Param || row.Network.Index != i {
		return ""
	}
	if row.Lookup {
		return `"ip"`
	}
	return `"tcp"`
}

// text writes the function.
func (s *scene) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\nfunc %s(%s) {\n", s.row.Name, s.name, strings.Join(s.params, ", "))
	for _, line := range s.before {
		b.WriteString("\t" + line + "\n")
	}
	b.WriteString("}\n")
	for _, d := range s.decls {
		b.WriteString("\n" + d)
	}
	return b.String()
}
