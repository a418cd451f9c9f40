package budgets

import (
	"go/constant"
	"go/types"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/settings"
)

// routed returns the budgets that the configuration gives routes, by the functions that this package registers for them: a call
// with a pattern and a handler, such as http.HandleFunc("/orders", h), mux.Handle("GET /orders", h), r.Get("/orders", h). The
// prefix of a group of routes is not known; the pattern counts as it stands.
func (p *program) routed() map[*ssa.Function]settings.Budget {
	out := map[*ssa.Function]settings.Budget{}
	if !slices.ContainsFunc(p.cfg.Budgets, settings.Declared.ForRoute) {
		return out
	}
	for _, fn := range p.code.Funcs {
		if p.code.InTest(fn) {
			continue
		}
		for c := range ssawalk.Calls(fn) {
			method, pattern := routeOf(c)
			if pattern == "" {
				continue
			}
			for _, d := range p.cfg.Budgets {
				if !d.Routes(method, pattern) {
					continue
				}
				for _, h := range p.handlers(c) {
					if old, ok := out[h]; !ok || d.For < old.For {
						out[h] = d.Budget // of several that it serves, the tightest
					}
				}
			}
		}
	}
	return out
}

// routeOf returns the method and pattern that a call registers, "" for any method or for no pattern.
func routeOf(c ssa.CallInstruction) (method, pattern string) {
	for _, a := range ssawalk.Resolve(c).Args {
		k, ok := a.(*ssa.Const)
		if !ok || k.Value == nil || k.Value.Kind() != constant.String {
			continue
		}
		method, pattern = settings.Route(constant.StringVal(k.Value))
		if strings.HasPrefix(pattern, "/") {
			break
		}
		pattern = ""
	}
	if f := ssawalk.Callee(c); f != nil && method == "" && slices.Contains(methods, strings.ToUpper(f.Name())) {
		method = strings.ToUpper(f.Name())
	}
	return method, pattern
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions}

// handlers returns the entry points among the arguments of a call: functions, and the ServeHTTP of what is none.
func (p *program) handlers(c ssa.CallInstruction) []*ssa.Function {
	var out []*ssa.Function
	add := func(v ssa.Value) {
		if fn, _ := ssawalk.Function(v); fn != nil {
			if p.entries.Entry(fn) {
				out = append(out, fn)
			}
			return
		}
		t := ssawalk.Source(v).Type()
		if m := typeset.Method(t, "ServeHTTP"); m != nil && m.Pkg() == p.pass.Pkg && !types.IsInterface(t) {
			if fn := p.code.Func(m); fn != nil {
				out = append(out, fn)
			}
		}
	}
	for _, a := range ssawalk.Resolve(c).Args {
		s, ok := a.(*ssa.Slice)
		if !ok {
			add(a)
			continue
		}
		for _, v := range elements(s) { // gin takes a list
			add(v)
		}
	}
	return out
}

// elements returns what is given for a variadic parameter.
func elements(s *ssa.Slice) []ssa.Value {
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var out []ssa.Value
	for _, ref := range *a.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == at {
				out = append(out, st.Val)
			}
		}
	}
	return out
}
