package kinds

import (
	"regexp"
	"slices"
	"testing"
)

// TestAll wants each line of All to be in form, named once, and in the order of Rules.
func TestAll(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+$`)
	since := regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
	why := regexp.MustCompile(`^[^A-Z].*[^.]$|^[A-Z][a-z]+[A-Z].*[^.]$`) // begins small, or with a name of Go's
	seen := map[string]bool{}
	last := 0
	for _, k := range All {
		if !name.MatchString(k.Name) || !since.MatchString(k.Since) || !why.MatchString(k.Why) {
			t.Errorf("%s is not in form: %+v", k, k)
		}
		if k.Aim != Gate && k.Aim != Audit {
			t.Errorf("%s has tier %q", k, k.Aim)
		}
		if seen[k.String()] {
			t.Errorf("%s stands twice", k)
		}
		seen[k.String()] = true
		at := slices.Index(Rules, k.Rule)
		if at < 0 {
			t.Errorf("%s is of no rule", k)
		}
		if at < last {
			t.Errorf("%s stands behind %s, which speaks after it", k, Rules[last])
		}
		last = max(at, last)
	}
}

// TestRules wants thirteen names, each one word and once; the two that name no wait come last.
func TestRules(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+$`)
	for i, r := range Rules {
		if !word.MatchString(r) || slices.Index(Rules, r) != i {
			t.Errorf("rule %q is no single word, or stands twice", r)
		}
	}
	if n := len(Rules); n != 13 || !slices.Equal(Rules[n-2:], []string{"lostdeadline", "wallclock"}) {
		t.Errorf("the rules are %q", Rules)
	}
}

func TestLookup(t *testing.T) {
	for _, want := range All {
		if got, ok := Lookup(want.Rule, want.Name); !ok || got != want {
			t.Errorf("Lookup(%s) = %+v, %t", want, got, ok)
		}
		if !Known(want.Rule) || !Built(want.Rule) {
			t.Errorf("%s: known %t, built %t", want.Rule, Known(want.Rule), Built(want.Rule))
		}
	}
	for _, bad := range [][2]string{{"ctxless", ""}, {"ctxless", "root"}, {"", "call"}, {"ignores", "vain"}} {
		if k, ok := Lookup(bad[0], bad[1]); ok {
			t.Errorf("Lookup(%q) = %+v", bad, k)
		}
	}
	if Known("ignores") || Known("") || Built("ignores") {
		t.Error("a rule that is none is known")
	}
}
