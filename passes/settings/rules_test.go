package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/kinds"
)

// TestShows reads each line against kinds of both tiers that it makes up, since the tiers of the real ones move.
func TestShows(t *testing.T) {
	gate := kinds.Kind{Rule: "detached", Name: "root", Aim: kinds.Gate, Sheet: "sheet"}
	audit := kinds.Kind{Rule: "detached", Name: "component", Aim: kinds.Audit}
	other := kinds.Kind{Rule: "ctxless", Name: "call", Aim: kinds.Gate, Sheet: "sheet"}
	for _, tt := range []struct {
		rules string
		audit bool
		want  string // of gate, audit, other
	}{
		{"", false, "g-o"},
		{"", true, "gao"},
		{"detached", false, "ga-"},
		{"detached", true, "ga-"},
		{"detached/root", false, "g--"},
		{"detached/component", false, "-a-"},
		{"-detached", false, "--o"},
		{"-detached", true, "--o"},
		{"-detached/root", true, "-ao"},
		{"+detached", false, "gao"},
		{"+detached/component", false, "gao"},
		{"+lostdeadline", false, "g-o"},
		{"lostdeadline", false, "---"},
		{"detached,ctxless", false, "gao"},
		{"detached,-detached/root", false, "-a-"},
		{"-detached,+detached/component", false, "-ao"},
		{"+ctxless,detached/root", false, "g-o"},
		{"+detached,-detached", false, "--o"},
	} {
		cfg := Default()
		cfg.Audit = tt.audit
		if tt.rules != "" {
			words, err := ParseRules(tt.rules)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Rules = words
		}
		for _, checked := range []bool{false, true} { // the answer does not depend on Check
			if checked {
				if err := cfg.Check(); err != nil {
					t.Fatal(err)
				}
			}
			got := []byte("---")
			for i, k := range []kinds.Kind{gate, audit, other} {
				if cfg.Shows(k) {
					got[i] = "gao"[i]
				}
			}
			if string(got) != tt.want {
				t.Errorf("-rules %q, audit %t: %s, want %s", tt.rules, tt.audit, got, tt.want)
			}
		}
	}
}

// TestRulesKnown wants all thirteen names to be known, with a notice exactly for those that are not built.
func TestRulesKnown(t *testing.T) {
	for _, rule := range kinds.Rules {
		cfg := Default()
		cfg.Rules = []string{"+" + rule}
		if err := cfg.Check(); err != nil {
			t.Error(err)
		}
		if got, want := len(cfg.Notices()) == 0, kinds.Built(rule); got != want {
			t.Errorf("%s is built: %t, without a notice: %t", rule, want, got)
		}
	}
}

func TestParseRulesErrors(t *testing.T) {
	for list, want := range map[string]string{
		"":                "a rule is missing",
		"ctxless,":        "a rule is missing",
		"ctxless -x":      `unknown rule "ctxless -x"`,
		"++ctxless":       `unknown rule "+ctxless"`,
		"ctxless/root":    `unknown kind "ctxless/root": the kinds of ctxless are ctxless/request`,
		"Ctxless":         `unknown rule "Ctxless": the rules are bareserver`,
		"ctxless,unbound": `unknown rule "unbound"`,
	} {
		if words, err := ParseRules(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %s", list, words, err, want)
		}
	}
	words, err := ParseRules("ctxless, -detached/root")
	if want := []string{"ctxless", "-detached/root"}; err != nil || !slices.Equal(words, want) {
		t.Errorf("%q, %v, want %q", words, err, want)
	}
	cfg := Default()
	cfg.Rules = []string{"nonsense"}
	if cfg.Check() == nil {
		t.Error("Check accepts a rule that is none")
	}
}
