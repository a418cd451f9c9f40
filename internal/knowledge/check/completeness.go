package check

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

// twins are the endings by which a function says that it is the form of another that takes a context.
var twins = []string{"Context", "WithContext", "Ctx", "Tx"}

// Completeness reports every exported function and method of pkg that has a context-taking twin and no row: the sibling
// XContext, XWithContext, XCtx or XTx of X, or the method of TContext that stands for one of T (driver.Queryer).
func Completeness(pkg *types.Package, t *knowledge.Tables) []error {
	return missing(pkg, t, "has a twin that takes a context", func(x *index, name string, fn *types.Func) string {
		if hasContextParameter(fn) {
			return ""
		}
		return twin(x, name)
	})
}

// Contexts reports every exported function and method of pkg that takes a context and has no row.
func Contexts(pkg *types.Package, t *knowledge.Tables) []error {
	return missing(pkg, t, "takes a context", func(x *index, name string, fn *types.Func) string {
		if hasContextParameter(fn) {
			return name
		}
		return ""
	})
}

// Exports reports every exported function and method of pkg, of exported types, that has neither a row nor an exception, and every
// exception that is none: of a function that has a row, takes a context, or is not there. An exception is a name in the form of rows with the
// reason why it needs none.
func Exports(pkg *types.Package, t *knowledge.Tables, exceptions map[string]string) []error {
	x := newIndex(pkg)
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(x.funcs)) {
		fn := x.funcs[name]
		if !fn.Exported() || fn.Pkg() != pkg || !exportedReceiver(fn) {
			continue
		}
		_, known := t.Func(name)
		_, excepted := exceptions[name]
		switch {
		case !known && !excepted:
			errs = append(errs, fmt.Errorf("%s has no row, and no reason why it needs none", name))
		case excepted && hasContextParameter(fn):
			errs = append(errs, fmt.Errorf("%s takes a context, and has a reason in place of a row", name))
		case known && excepted:
			errs = append(errs, fmt.Errorf("%s has a row, and a reason why it needs none", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(exceptions)) {
		if path, _, _ := knowledge.SplitName(name); path == pkg.Path() && x.funcs[name] == nil {
			errs = append(errs, fmt.Errorf("%s is not there, and needs no reason", name))
		}
	}
	return errs
}

// exportedReceiver reports whether fn is a function, or a method of a type that others can name.
func exportedReceiver(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	return !ok || named.Obj().Exported()
}

// missing lists the functions for which concerns names a reason, and that have no row.
func missing(pkg *types.Package, t *knowledge.Tables, what string, concerns func(*index, string, *types.Func) string) []error {
	x := newIndex(pkg)
	var errs []error
	for name, fn := range x.funcs {
		if !fn.Exported() || fn.Pkg() != pkg {
			continue // promoted from another package: its table speaks
		}
		if _, ok := t.Func(name); ok {
			continue
		}
		if reason := concerns(x, name, fn); reason != "" {
			errs = append(errs, fmt.Errorf("%s has no row, and %s: %s", name, what, reason))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

// twin returns the name of the form of the function called name that takes a context, "" if there is none.
func twin(x *index, name string) string {
	names := make([]string, 0, 8)
	for _, suffix := range twins {
		names = append(names, name+suffix)
	}
	if recv, method, ok := strings.Cut(name, ")."); ok { // T and TContext, or T and TMethodContext
		for _, m := range []string{method, method + "Context"} {
			names = append(names, recv+"Context)."+m, recv+method+"Context)."+m)
		}
	}
	for _, n := range names {
		if fn := x.funcs[n]; fn != nil && fn.Exported() && hasContextParameter(fn) {
			return n
		}
	}
	return ""
}
