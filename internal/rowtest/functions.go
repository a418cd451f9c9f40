package rowtest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// behind waits after the call. What calls an interface's method that never returns is a function that never returns.
func behind(s *scene) error {
	if s.fn.recv == nil || !types.IsInterface(s.fn.recv) {
		s.inReach()
		_, err := s.call(-1)
		s.do("_, _ = %s", s.fetch())
		return err
	}
	_, err := s.call(-1)
	s.frontier("; _, _ = " + s.fetch())
	return err
}

// runs has the function that is given wait, in a function without a context, and looks at a caller that has one.
func runs(s *scene) error {
	s.lonely = true
	lit, err := s.literal(func(string) string { return "_, _ = " + s.fetch() })
	if err != nil {
		return err
	}
	if sig, ok := s.fn.at(s.row.Func).Underlying().(*types.Signature); ok && slices.ContainsFunc(typesOf(sig.Params()), s.w.carries) {
		return cannot("the function that it calls has a context of its own")
	}
	s.put(s.row.Func, lit)
	keep := -1
	if s.row.Verb == knowledge.None {
		keep = s.row.Result // what calls the function
	}
	x, err := s.call(keep)
	if err != nil {
		return err
	}
	if x != "" {
		s.do("%s()", x)
	}
	s.frontier("")
	return nil
}

func runsUnderRoot(s *scene) error { return s.runsUnder(s.root()) }
func runsUnderCtx(s *scene) error  { return s.runsUnder("ctx") }

// runsUnder has the function that is given wait on the context that it is given.
func (s *scene) runsUnder(ctx string) error {
	s.inReach()
	if err := s.end(ctx); err != nil {
		return err
	}
	db, err := s.param(types.NewPointer(s.w.std("database/sql", "DB")))
	if err != nil {
		return err
	}
	own := ""
	lit, err := s.literal(func(ctx string) string { own = ctx; return fmt.Sprintf("_ = %s.PingContext(%s)", db, ctx) })
	if err != nil {
		return err
	}
	if own == "" {
		if s.row.Retry {
			return cannot("the function that it calls again takes no context")
		}
		return cannot("ctx= is given to nobody")
	}
	s.put(s.row.Func, lit)
	_, err = s.call(-1)
	return err
}

// frontier adds a function with a context that calls the scene's, and what follows.
func (s *scene) frontier(follows string) {
	var names []string
	for _, p := range s.params {
		name, _, _ := strings.Cut(p, " ")
		names = append(names, name)
	}
	params := append([]string{"ctx " + s.imports.name("context") + ".Context"}, s.params...)
	s.look = s.name + "caller"
	s.decls = append(s.decls, fmt.Sprintf("func %s(%s) { %s(%s)%s }\n",
		s.look, strings.Join(params, ", "), s.name, strings.Join(names, ", "), follows))
}

// literal writes a function of the type that the call wants; body is told its context, if it has one.
func (s *scene) literal(body func(ctx string) string) (string, error) {
	t := s.fn.at(s.row.Func)
	if t == nil {
		return "", cannot("the function is in the receiver")
	}
	if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() == 0 {
		return "func() { " + body("") + " }", nil // any
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return "", cannot("what it calls are the methods of a value")
	}
	head, err := s.signature(sig)
	if err != nil {
		return "", err
	}
	ctx := ""
	if i := typeset.ContextParam(sig); i >= 0 {
		ctx = fmt.Sprintf("p%d", i)
	} else if i := typeset.RequestParam(sig); i >= 0 {
		ctx = fmt.Sprintf("p%d.Context()", i)
	}
	lit := "func" + head + " { " + body(ctx) + "; return }"
	if text, err := s.imports.typeText(t); s.row.Func.Kind == knowledge.Recv && err == nil {
		lit = text + "(" + lit + ")"
	}
	return lit, nil
}

// signature writes parameters p0, p1… and named results.
func (s *scene) signature(sig *types.Signature) (string, error) {
	var parts [2][]string
	for k, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for i := range tuple.Len() {
			text, err := s.imports.typeText(tuple.At(i).Type())
			if err != nil {
				return "", err
			}
			if k == 0 && sig.Variadic() && i == tuple.Len()-1 {
				text = "..." + strings.TrimPrefix(text, "[]")
			}
			parts[k] = append(parts[k], fmt.Sprintf("%c%d %s", "pr"[k], i, text))
		}
	}
	return "(" + strings.Join(parts[0], ", ") + ") (" + strings.Join(parts[1], ", ") + ")", nil
}
