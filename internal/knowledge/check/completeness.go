package check

import (
	"fmt"
	"go/types"
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
