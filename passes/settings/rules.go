package settings

import (
	"fmt"
	"strings"

	"github.com/doneby/doneby/internal/kinds"
)

// A term is one word of the rules grammar:
//
//	NAME    only what is named so
//	-NAME   the default without it
//	+NAME   the default and it
//
// where NAME is a rule, for all its kinds, or rule/kind.
type term struct {
	sign       byte // 0, '-' or '+'
	rule, kind string
}

// names reports whether the term is about k.
func (t term) names(k kinds.Kind) bool {
	return t.rule == k.Rule && (t.kind == "" || t.kind == k.Name)
}

// A selection says which kinds are shown.
type selection struct {
	terms []term
	only  bool // a bare NAME is among them: the default counts for nothing
}

// parseTerm reads one word, or says what is wrong with it. The notice is about a rule or kind that is known to come.
func parseTerm(word string) (t term, notice string, err error) {
	name := word
	if name != "" && strings.IndexByte("+-", name[0]) >= 0 {
		t.sign, name = name[0], name[1:]
	}
	rule, kind, sub := strings.Cut(name, "/")
	t.rule, t.kind = rule, kind
	switch {
	case name == "":
		return t, "", fmt.Errorf("a rule is missing: write ctxless, -ctxless or +ctxless")
	case !kinds.Known(rule):
		return t, "", fmt.Errorf("unknown rule %q: the rules are %s", rule, strings.Join(kinds.Rules, ", "))
	case !kinds.Built(rule):
		return t, fmt.Sprintf("rule %s is not built yet", rule), nil
	case !sub:
		return t, "", nil
	}
	if _, ok := kinds.Lookup(rule, kind); !ok {
		return t, "", fmt.Errorf("unknown kind %q: the kinds of %s are %s", name, rule, strings.Join(kindsOf(rule), ", "))
	}
	return t, "", nil
}

// kindsOf lists the kinds of a rule as users type them.
func kindsOf(rule string) []string {
	var names []string
	for _, k := range kinds.All {
		if k.Rule == rule {
			names = append(names, k.String())
		}
	}
	return names
}

// ParseRules splits what the flag -rules holds, a comma-separated list, and checks each word.
func ParseRules(list string) ([]string, error) {
	var words []string
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		if _, _, err := parseTerm(word); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, nil
}

// parseRules reads all words. Words that are no rule are left out; the first of them is the error.
func parseRules(words []string) (sel *selection, notices []string, err error) {
	sel = &selection{}
	for _, word := range words {
		t, notice, bad := parseTerm(word)
		if bad != nil {
			if err == nil {
				err = bad
			}
			continue
		}
		if notice != "" {
			notices = append(notices, notice)
		}
		sel.terms = append(sel.terms, t)
		sel.only = sel.only || t.sign == 0
	}
	return sel, notices, err
}

// Check validates what was set by hand. Load and Parse have checked what they read.
func (c *Config) Check() error {
	sel, _, err := parseRules(c.Rules)
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	if c.Thresholds.Sleep < 0 {
		return fmt.Errorf("thresholds.sleep: %s is below zero: write a duration such as 100ms, or 0s for every pause", c.Thresholds.Sleep)
	}
	c.selected = sel
	return nil
}

// Notices says what is right but has no effect yet, such as a rule that is not built, for a command to print on stderr.
func (c *Config) Notices() []string {
	_, notices, _ := parseRules(c.Rules)
	return notices
}

// Shows reports whether findings of that kind reach the user. The default is the gate tier, and the audit tier with Audit.
// A bare name among Rules means only what is named so; then the words are taken in turn, +NAME adds, -NAME takes away, and
// the last word about a kind holds. A name shows a kind whatever its tier.
func (c *Config) Shows(k kinds.Kind) bool {
	sel := c.selected
	if sel == nil {
		sel, _, _ = parseRules(c.Rules)
	}
	shown := !sel.only && (k.Tier() == kinds.Gate || c.Audit)
	for _, t := range sel.terms {
		if t.names(k) {
			shown = t.sign != '-'
		}
	}
	return shown
}

// shown lists the kinds that reach the user.
func (c *Config) shown() []string {
	var names []string
	for _, k := range kinds.All {
		if c.Shows(k) {
			names = append(names, k.String())
		}
	}
	return names
}
