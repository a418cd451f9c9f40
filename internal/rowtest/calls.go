package rowtest

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

// plain calls the function with parameters; of a type that takes no time, all of its methods.
func plain(s *scene) error {
	s.inReach()
	_, err := s.call(-1)
	return err
}

// alone calls it where there is nothing to inherit.
func alone(s *scene) error {
	s.lonely = true
	_, err := s.call(-1)
	return err
}

// end puts what ends with ctx where the row says that its context comes from.
func (s *scene) end(ctx string) error {
	at := s.row.Ctx
	if !at.IsSet() {
		if at = s.row.On; !at.IsSet() {
			at = knowledge.Place{Kind: knowledge.Recv}
		}
	}
	if !s.row.Ctx.IsSet() && at.Sel != "" {
		return cannot("what ends it stands in a field")
	}
	x, err := s.under(s.fn.at(at), ctx)
	if err == nil {
		s.put(at, x)
	}
	return err
}

func underRoot(s *scene) error { return s.endsWith(s.root()) }
func underCtx(s *scene) error  { return s.endsWith("ctx") }

func (s *scene) endsWith(ctx string) error {
	s.inReach()
	if err := s.end(ctx); err != nil {
		return err
	}
	_, err := s.call(-1)
	return err
}

// inField sets the first field of the row on a client made here.
func inField(s *scene) error {
	s.inReach()
	at := s.row.On
	if !at.IsSet() {
		at = knowledge.Place{Kind: knowledge.Recv}
	}
	t := s.fn.at(at)
	p, ok := t.(*types.Pointer)
	if !ok {
		return cannot("its client is no struct")
	}
	field := s.row.Fields[0]
	chain := strings.Split(field, ".")
	for _, name := range chain {
		if name[0] >= 'a' {
			return cannot("the field that bounds it is not exported")
		}
	}
	client := s.fresh("c")
	made, err := s.holding(p.Elem(), chain)
	if err != nil {
		return err
	}
	s.do("%s := %s", client, made)
	s.put(at, client)
	_, err = s.call(-1)
	return err
}

// holding writes a pointer to a struct, a field of which, or a field of a struct in it, is a parameter.
func (s *scene) holding(t types.Type, chain []string) (string, error) {
	text, err := s.imports.typeText(t)
	if err != nil {
		return "", err
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, chain[0])
	f, ok := obj.(*types.Var)
	if !ok || len(index) > 1 {
		return "", cannot("the field that bounds it is not exported")
	}
	value := ""
	if len(chain) == 1 {
		value, err = s.param(f.Type())
	} else if p, ok := f.Type().(*types.Pointer); ok {
		value, err = s.holding(p.Elem(), chain[1:])
	} else {
		value, err = s.holding(f.Type(), chain[1:])
		value = strings.TrimPrefix(value, "&")
	}
	return fmt.Sprintf("&%s{%s: %s}", text, chain[0], value), err
}
