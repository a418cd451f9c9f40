package check

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

// Truth holds rows against the packages that lookup returns (nil: not there) and reports what does not exist: the function or
// type, the context, the field, the form that use names. Each error is a *knowledge.SyntaxError at the row. A row about a
// package that lookup does not have is an error too: who has only some packages at hand (a build that does not use them
// all) gives only the rows whose ImportPath is among them.
func Truth(rows []knowledge.Row, lookup func(path string) *types.Package) []error {
	w := &world{lookup: lookup, indexes: map[string]*index{}}
	var errs []error
	for _, row := range rows {
		for _, err := range w.row(row) {
			errs = append(errs, &knowledge.SyntaxError{File: row.File, Line: row.Line, Col: row.Col, Msg: row.Name + ": " + err.Error()})
		}
	}
	return errs
}

// row checks one row.
func (w *world) row(row knowledge.Row) []error {
	if w.index(row.ImportPath()) == nil {
		return []error{fmt.Errorf("no package %s here: correct the import path or remove the row", row.ImportPath())}
	}
	if fn := w.function(row.Name); fn != nil {
		return append(w.places(row, fn.Signature()), w.names(row, fn.Signature())...)
	}
	if t := w.named(row.Name); t != nil {
		return w.typeRow(row, t)
	}
	return []error{fmt.Errorf("%s has no such function, method or type: write the name as types.Func.FullName does", row.ImportPath())}
}

// typeRow checks a row that is keyed by a type.
func (w *world) typeRow(row knowledge.Row, t types.Type) []error {
	switch row.Verb {
	case knowledge.None:
		return nil
	case knowledge.Carries:
		sel := row.Ctx.Sel
		if got, err := selected(t, sel); err != nil {
			return []error{fmt.Errorf("ctx=%s: %v", row.Ctx, err)}
		} else if !isContext(got) {
			return []error{fmt.Errorf("ctx=%s: %s is no context", row.Ctx, got)}
		}
		return nil
	case knowledge.Enters:
		switch u := t.Underlying().(type) {
		case *types.Signature:
			return w.places(row, u)
		case *types.Struct:
			return nil // the functions in its fields
		}
		return []error{fmt.Errorf("%s is neither a function type nor a struct of functions: write the method of the interface, or the function that registers", t)}
	}
	return []error{fmt.Errorf("a row about a type says carries, enters or none")}
}

// places checks the keys that name a value of the call.
func (w *world) places(row knowledge.Row, sig *types.Signature) []error {
	var errs []error
	check := func(key string, sig *types.Signature, p knowledge.Place, what string, fits func(types.Type) bool) {
		if !p.IsSet() {
			return
		}
		t, err := at(sig, p)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s=%s: %v", key, p, err))
		} else if t != nil && fits != nil && !fits(t) {
			errs = append(errs, fmt.Errorf("%s=%s: %s is no %s", key, p, t, what))
		}
	}
	check("within", sig, row.Within, "timeout", isTime)
	check("until", sig, row.Until, "deadline", isTime)
	check("for", sig, row.For, "duration", isTime)
	check("func", sig, row.Func, "function", isCallable)
	check("on", sig, row.On, "", nil)
	for _, p := range row.Also {
		check("on", sig, p, "", nil)
	}
	of, err := w.contextSignature(row, sig)
	if err != nil {
		return append(errs, err)
	}
	if of != nil {
		check("ctx", of, row.Ctx, "context", isContext)
	}
	return errs
}

// contextSignature returns the signature in which ctx= is a place: the row's own, or, where a function is registered as an
// entry point, that of this function; nil when func= itself is wrong.
func (w *world) contextSignature(row knowledge.Row, sig *types.Signature) (*types.Signature, error) {
	if row.Verb != knowledge.Enters || !row.Func.IsSet() || !row.Ctx.IsSet() {
		return sig, nil
	}
	t, err := at(sig, row.Func)
	if err != nil {
		return nil, nil // func= has said so
	}
	if row.Type != "" {
		t = w.named(row.Type)
	}
	if t == nil {
		return nil, fmt.Errorf("ctx=%s: what func= and type= name takes no parameters that could be looked at", row.Ctx)
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return u, nil
	case *types.Interface:
		if u.NumMethods() == 1 {
			return u.Method(0).Signature(), nil
		}
	}
	return nil, fmt.Errorf("ctx=%s: %s is neither a function nor an interface of one method: leave ctx to the rows of its methods", row.Ctx, t)
}

// names checks the keys that name a function, type, field or result.
func (w *world) names(row knowledge.Row, sig *types.Signature) []error {
	var errs []error
	if row.Use != "" {
		if fn := w.function(row.Use); fn == nil {
			errs = append(errs, fmt.Errorf("use=%s: there is no such function", row.Use))
		} else if !takesContext(fn) {
			errs = append(errs, fmt.Errorf("use=%s: it takes no context", row.Use))
		}
	}
	if row.Joined != "" && w.function(row.Joined) == nil {
		errs = append(errs, fmt.Errorf("joined=%s: there is no such function", row.Joined))
	}
	if row.Type != "" && w.named(row.Type) == nil {
		errs = append(errs, fmt.Errorf("type=%s: there is no such type", row.Type))
	}
	if row.Result > 0 && row.Result >= sig.Results().Len() {
		errs = append(errs, fmt.Errorf("result=%d: it has %d results", row.Result, sig.Results().Len()))
	}
	if row.Verb == knowledge.Carries {
		errs = append(errs, carriesContext(row, sig)...)
	}
	if row.ByRecv && sig.Recv() == nil && !row.On.IsSet() {
		errs = append(errs, fmt.Errorf("recv: there is no receiver"))
	}
	for _, f := range row.Fields {
		if !hasField(sig, row, strings.Split(f, ".")) {
			errs = append(errs, fmt.Errorf("field=%s: neither the receiver nor what on= names has it", f))
		}
	}
	return append(errs, w.unless(row)...)
}

// carriesContext checks that the result, or what ctx= takes from it, is a context.
func carriesContext(row knowledge.Row, sig *types.Signature) []error {
	if row.Ctx.IsSet() {
		return nil // places has looked
	}
	if row.Result >= sig.Results().Len() {
		return []error{fmt.Errorf("it returns no context")}
	}
	if t := sig.Results().At(row.Result).Type(); !isContext(t) {
		return []error{fmt.Errorf("it returns a %s, which is no context", t)}
	}
	return nil
}

// hasField reports whether the receiver or what on= names has the field; a function without both makes the handle, and
// the field is one of its result or of a parameter.
func hasField(sig *types.Signature, row knowledge.Row, path []string) bool {
	var candidates []types.Type
	switch {
	case row.On.IsSet():
		t, err := at(sig, row.On)
		if err != nil || t == nil {
			return true // on= has said so
		}
		candidates = append(candidates, t)
	case sig.Recv() != nil:
		candidates = append(candidates, sig.Recv().Type())
	default:
		for v := range sig.Params().Variables() {
			candidates = append(candidates, v.Type())
		}
		for v := range sig.Results().Variables() {
			candidates = append(candidates, v.Type())
		}
	}
	for _, t := range candidates {
		if _, err := selected(t, strings.Join(path, ".")); err == nil {
			return true
		}
	}
	return false
}

// unless checks the key of that name: an option is a function, a field one of any struct of the package.
func (w *world) unless(row knowledge.Row) []error {
	if row.Unless == "" || w.function(row.Unless) != nil {
		return nil
	}
	last := row.Unless[strings.LastIndexByte(row.Unless, '.')+1:]
	if w.index(row.ImportPath()).fields[last] {
		return nil
	}
	return []error{fmt.Errorf("unless=%s: there is no such option, and no struct of %s has such a field", row.Unless, row.ImportPath())}
}
