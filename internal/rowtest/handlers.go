package rowtest

import (
	"fmt"
	"go/types"
)

// handler registers a function that waits, or gives it the type that the row is about, and looks at that function.
func handler(s *scene) error {
	switch {
	case s.fn.obj == nil:
		return s.typed()
	case s.row.Func.IsSet():
		return s.registered()
	case !types.IsInterface(s.fn.recv):
		return cannot("the handler is the library's own")
	}
	value, err := s.implementer(s.fn.recv, s.fn.obj.Name())
	if err == nil {
		s.do("_ = %s", value)
	}
	return err
}

// registered gives the handler to the call of the row.
func (s *scene) registered() error {
	t := s.fn.at(s.row.Func)
	if s.row.Type != "" {
		t = s.w.named(s.row.Type)
	}
	if t == nil {
		return cannot("the function is in the receiver")
	}
	value := ""
	var err error
	switch u := t.Underlying().(type) {
	case *types.Signature:
		value, err = s.declared(u)
	case *types.Interface:
		if u.NumMethods() != 1 {
			return cannot("what it registers are the methods of a value")
		}
		value, err = s.implementer(t, u.Method(0).Name())
	default:
		return cannot("what it registers are the methods of a value")
	}
	if err != nil {
		return err
	}
	s.put(s.row.Func, value)
	_, err = s.call(-1)
	return err
}

// typed makes a function of the row's type, or stores one in a field of the row's struct.
func (s *scene) typed() error {
	t := s.w.named(s.row.Name)
	if t == nil {
		return cannot("a type that cannot be named")
	}
	text, err := s.imports.typeText(t)
	if err != nil {
		return err
	}
	if sig, ok := t.Underlying().(*types.Signature); ok {
		value, err := s.declared(sig)
		s.do("_ = %s(%s)", text, value)
		return err
	}
	st, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		sig, isFunc := st.Field(i).Type().Underlying().(*types.Signature)
		if !isFunc || !st.Field(i).Exported() || sig.Params().Len() == 0 {
			continue
		}
		value, err := s.declared(sig)
		s.do("_ = &%s{%s: %s}", text, st.Field(i).Name(), value)
		return err
	}
	return cannot("it has no field that holds a function")
}

// declared writes a function that waits.
func (s *scene) declared(sig *types.Signature) (string, error) {
	head, err := s.signature(sig)
	s.look = s.name + "handler"
	s.decls = append(s.decls, fmt.Sprintf("func %s%s { _, _ = %s; return }\n", s.look, head, s.fetch()))
	return s.look, err
}

// implementer writes a type that has the method itself, and the others of the interface from a value that it embeds.
func (s *scene) implementer(iface types.Type, method string) (string, error) {
	obj, _, _ := types.LookupFieldOrMethod(iface, true, nil, method)
	m, ok := obj.(*types.Func)
	if !ok {
		return "", cannot("a type that cannot be named")
	}
	text, err := s.imports.typeText(iface)
	if err != nil {
		return "", err
	}
	head, err := s.signature(m.Signature())
	name := s.name + "type"
	s.look = name + "." + method
	s.decls = append(s.decls, fmt.Sprintf("type %s struct{ %s }\n\nfunc (%s) %s%s { _, _ = %s; return }\n", name, text, name, method, head, s.fetch()))
	return name + "{}", err
}
