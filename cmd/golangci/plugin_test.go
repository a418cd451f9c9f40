package golangci

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golangci/plugin-module-register/register"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/analyzers/ignores"
	"github.com/doneby/doneby/passes/settings"
)

// TestPlugin takes the way golangci-lint takes: by name, with what its YAML reader returns.
func TestPlugin(t *testing.T) {
	newPlugin, err := register.GetPlugin(Name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlugin(map[string]any{
		"rules":      []any{"-ctxless"},
		"audit":      true,
		"tests":      true,
		"own":        []any{"example.com/team"},
		"thresholds": map[string]any{"sleep": "2s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { settings.Use(nil) })
	list, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(list, analyzers.All) || !slices.Contains(list, ignores.Analyzer) {
		t.Errorf("%d analyzers, want the %d of the list, with ignores", len(list), len(analyzers.All))
	}
	if got := p.GetLoadMode(); got != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", got)
	}
	cfg, err := settings.Current()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cfg.Rules, []string{"-ctxless"}) || !cfg.Audit || !cfg.Tests || !cfg.OwnPath("example.com/team/x") || cfg.Thresholds.Sleep != 2*time.Second {
		t.Errorf("settings in force: %+v", cfg)
	}
	if cfg.Nolint || cfg.Related {
		t.Errorf("Nolint %t, Related %t: golangci-lint does both itself", cfg.Nolint, cfg.Related)
	}
}

// TestNothing wants the default from settings that are absent or empty, but for what golangci-lint does itself.
func TestNothing(t *testing.T) {
	want := settings.Default()
	want.Nolint, want.Related = false, false
	for _, conf := range []any{nil, map[string]any{}, map[string]any{"rules": nil}} {
		cfg, err := config(conf)
		if err != nil {
			t.Errorf("%v: %v", conf, err)
			continue
		}
		if cfg.Hash() != want.Hash() {
			t.Errorf("%v: %+v, want the default", conf, cfg)
		}
	}
}

// TestRefused wants every error to say where in golangci-lint's file, what, and what to do.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		conf any
		want string
	}{
		{".doneby.yaml", `".doneby.yaml" names a file`},
		{map[string]any{"config": ".doneby.yaml"}, "config names a file"},
		{map[string]any{"tables": []any{"tables.txt"}}, "tables names files"},
		{map[string]any{"rulez": []any{"ctxless"}}, `unknown field "rulez": the keys are rules, audit`},
		{map[string]any{"rules": []any{"ctxles"}}, `unknown rule "ctxles": the rules are`},
		{map[string]any{"rules": "ctxless"}, "a list of strings"},
		{map[string]any{"audit": "yes"}, "true or false"},
		{map[string]any{"own": []any{"a b"}}, "no import path"},
		{map[string]any{"thresholds": map[string]any{"sleep": 3}}, "a duration such as"},
		{map[string]any{"thresholds": map[string]any{"slep": "3s"}}, `unknown key "slep"`},
		{[]any{"ctxless"}, "cannot unmarshal array"},
	} {
		_, err := New(tt.conf)
		if err == nil {
			t.Errorf("%v: no error, want %s", tt.conf, tt.want)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, "linters.settings.custom.doneby.settings: ") || !strings.Contains(got, tt.want) {
			t.Errorf("%v: %s, want %s", tt.conf, got, tt.want)
		}
	}
}
