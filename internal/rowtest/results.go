package rowtest

import (
	"go/types"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

func result(s *scene) error {
	if s.row.Verb != knowledge.Carries {
		s.inReach()
	}
	return s.useResult()
}

func resultOfRoot(s *scene) error { return s.resultOf(s.root()) }
func resultOfCtx(s *scene) error  { return s.resultOf("ctx") }

func handleOfRoot(s *scene) error { s.noIO = true; return s.resultOf(s.root()) }
func handleOfCtx(s *scene) error  { s.noIO = true; return s.resultOf("ctx") }

func (s *scene) resultOf(ctx string) error {
	s.inReach()
	if err := s.end(ctx); err != nil {
		return err
	}
	if s.fn.sig.Results().Len() == 0 {
		return cannot("what it binds is there already")
	}
	return s.useResult()
}

// useResult calls the function and waits on what it makes.
func (s *scene) useResult() error {
	if s.row.Result >= s.fn.sig.Results().Len() {
		return cannot("it returns nothing")
	}
	x, err := s.call(s.row.Result)
	if err != nil {
		return err
	}
	return s.use(s.fn.sig.Results().At(s.row.Result).Type(), x)
}

// value makes a parameter of the type that the row is about.
func (s *scene) value() (string, error) {
	t := s.w.named(s.row.Name)
	if t == nil {
		return "", cannot("a type that cannot be named")
	}
	return s.param(t)
}

// typeInReach has arguments too, as the functions have that a command runs.
func typeInReach(s *scene) error {
	_, err := s.value()
	s.params = append(s.params, "args []string")
	s.do("_, _ = %s", s.fetch())
	return err
}

func typeGiven(s *scene) error {
	v, err := s.value()
	if err != nil {
		return err
	}
	if s.row.Never {
		return s.query(v) // the value itself is the context that never ends
	}
	for _, sel := range strings.Split(s.row.Ctx.Sel, ".") {
		if sel != "" && sel[0] >= 'a' && sel[0] <= 'z' {
			return cannot("its context stands in a field that is not exported")
		}
	}
	if s.row.Ctx.Sel != "" {
		v += "." + s.row.Ctx.Sel
	}
	return s.query(v)
}

// named finds the type that a row is about.
func (w *world) named(name string) types.Type {
	path, typ, fn := knowledge.SplitName(name)
	pkg := w.pkgs[path]
	if pkg == nil {
		return nil
	}
	obj, ok := pkg.Scope().Lookup(strings.TrimPrefix(typ, "*") + fn).(*types.TypeName)
	if !ok {
		return nil
	}
	t := obj.Type()
	if n, ok := t.(*types.Named); ok && n.TypeParams().Len() > 0 {
		if t, ok = instance(n, n.TypeParams()); !ok {
			return nil
		}
	}
	if strings.HasPrefix(typ, "*") {
		return types.NewPointer(t)
	}
	return t
}
