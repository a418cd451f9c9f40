package settings

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Budget is how long a request, or a call of a function, may take in all.
type Budget struct {
	For     time.Duration
	Reserve time.Duration // of it, kept for the reply
}

// Limit is what a budget leaves for the work.
func (b Budget) Limit() time.Duration { return b.For - b.Reserve }

// ParseBudget reads what follows //doneby:budget: a duration, and perhaps reserve=DURATION.
func ParseBudget(text string) (Budget, error) {
	const form = "write a duration such as 800ms, and after it reserve=50ms if some is kept for the reply"
	words := strings.Fields(text)
	if len(words) == 0 {
		return Budget{}, fmt.Errorf("budget has no duration: %s", form)
	}
	var b Budget
	var err error
	if b.For, err = time.ParseDuration(words[0]); err != nil || b.For <= 0 {
		return Budget{}, fmt.Errorf("budget is %q: %s", words[0], form)
	}
	for _, w := range words[1:] {
		value, ok := strings.CutPrefix(w, "reserve=")
		if !ok || b.Reserve > 0 {
			return Budget{}, fmt.Errorf("budget has %q behind it: %s", w, form)
		}
		if b.Reserve, err = time.ParseDuration(value); err != nil || b.Reserve < 0 {
			return Budget{}, fmt.Errorf("reserve is %q: %s", value, form)
		}
		if b.Reserve >= b.For {
			return Budget{}, fmt.Errorf("reserve of %s leaves nothing of a budget of %s", b.Reserve, b.For)
		}
	}
	return b, nil
}

// Declared is a budget that the configuration gives a route or functions.
type Declared struct {
	Key string
	Budget
}

// ForRoute reports whether the key names routes: /orders, GET /orders/{id}, /admin/*.
func (d Declared) ForRoute() bool { return strings.Contains(" "+d.Key, " /") }

// Routes reports whether the key names a route that is registered with that pattern, for the method if it is for one only. A
// route without a method serves all.
func (d Declared) Routes(method, pattern string) bool {
	if !d.ForRoute() {
		return false
	}
	m, p := Route(d.Key)
	if m != "" && method != "" && m != method {
		return false
	}
	if beginning, ok := strings.CutSuffix(p, "*"); ok {
		return strings.HasPrefix(pattern, beginning)
	}
	return p == pattern
}

// Route splits a pattern as net/http has it: GET /orders.
func Route(pattern string) (method, path string) {
	if m, p, ok := strings.Cut(pattern, " "); ok {
		return m, strings.TrimSpace(p)
	}
	return "", pattern
}

// Names reports whether the key names a function: its full name, such as (*example.com/m/api.Server).Get, or a pattern in which *
// stands for anything but a slash.
func (d Declared) Names(fullName string) bool {
	if d.ForRoute() {
		return false
	}
	ok, _ := path.Match(escaped(d.Key), fullName)
	return ok
}

// escaped protects the stars of pointer receivers: (*T) is a pointer, and T.* a pattern.
func escaped(key string) string { return strings.ReplaceAll(key, "(*", `(\*`) }

// budget reads one entry under the key budgets.
func (r *reader) budget(key *token.Token, value ast.Node) error {
	name := key.Value
	d := Declared{Key: name}
	switch {
	case strings.TrimSpace(name) == "":
		return r.at(key, "a budget for nothing: write a route such as /orders or GET /orders, or a function such as example.com/m/api.Get*")
	case !d.ForRoute() && !strings.Contains(name, "."):
		return r.at(key, "%q is neither a route nor a function: write a route such as /orders or GET /orders, or a function such as example.com/m/api.Get*", name)
	}
	if _, err := path.Match(escaped(name), ""); err != nil {
		return r.at(key, "%q is no pattern: %v", name, err)
	}
	str, ok := value.(*ast.StringNode)
	if !ok {
		return r.wrong(value, "budgets."+name, "a duration such as 800ms, or 800ms reserve=50ms")
	}
	var err error
	if d.Budget, err = ParseBudget(str.Value); err != nil {
		return r.at(str.GetToken(), "%v", err)
	}
	r.cfg.Budgets = append(r.cfg.Budgets, d)
	return nil
}
