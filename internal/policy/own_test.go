package policy_test

import (
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
)

// own is a probe: its result is what Own says.
var own = &analysis.Analyzer{
	Name: "own", Doc: "own", ResultType: reflect.TypeFor[bool](),
	Requires: []*analysis.Analyzer{settings.Analyzer},
	Run:      func(pass *analysis.Pass) (any, error) { return policy.Own(pass), nil },
}

// TestOwn prints the decision for the shape in which each driver describes a package's module.
func TestOwn(t *testing.T) {
	version := &packages.Module{Path: "example.com/m", Version: "v1.2.3"}
	for _, tt := range []struct {
		driver string
		path   string
		module *packages.Module
		own    []string
		want   bool
	}{
		{"ours, checker, golangci: main module", "example.com/m/p", &packages.Module{Path: "example.com/m", Main: true}, nil, true},
		{"vet: main module, which has no Main", "example.com/m/p", &packages.Module{Path: "example.com/m"}, nil, true},
		{"vet: test variant", "example.com/m/p [example.com/m/p.test]", &packages.Module{Path: "example.com/m"}, nil, true},
		{"workspace module", "example.com/w/p", &packages.Module{Path: "example.com/w", Main: true}, nil, true},
		{"dependency", "example.com/m/p", version, nil, false},
		{"dependency, vendored", "example.com/m/p", version, nil, false},
		{"dependency, claimed by own", "example.com/m/p", version, []string{"example.com/m"}, true},
		{"dependency beside the claim", "example.com/mm/p", version, []string{"example.com/m"}, false},
		{"nogo, honnef, analysistest: no module", "a", nil, nil, true},
		{"no module, files on the command line", "command-line-arguments", nil, nil, true},
		{"no module, package main's test", "main.test", nil, nil, true},
		{"no module, std", "net/http", nil, nil, false},
		{"no module, std's tests", "net/http_test", nil, nil, false},
		{"no module, std's test variant", "net/http [net/http.test]", nil, nil, false},
		{"no module, std's test main", "net/http.test", nil, nil, false},
		{"no module, std's vendored", "vendor/golang.org/x/net/idna", nil, nil, false},
		{"no module, in the tables", "golang.org/x/sync/errgroup", nil, nil, false},
		{"no module, in the tables, claimed", "golang.org/x/sync/errgroup", nil, []string{"golang.org/x"}, true},
		{"vet: std, a module without a path", "database/sql", &packages.Module{}, nil, false},
		{"vet: GOPATH, a module without a path", "example.com/m/p", &packages.Module{}, nil, true},
	} {
		cfg := settings.Default()
		cfg.Own = tt.own
		p := program{tt.path, tt.module, map[string]string{"p.go": "package p\n"}}
		got, _, _ := p.run(t, cfg, own)
		t.Logf("%-40s %-40s own: %t", tt.driver, tt.path, got)
		if got != tt.want {
			t.Errorf("%s: %s: own %t, want %t", tt.driver, tt.path, got, tt.want)
		}
	}
}
