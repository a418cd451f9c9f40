// Package golangci makes doneby a module plugin of golangci-lint: a blank import of it in a golangci-lint of one's own is
// all that is needed, which `golangci-lint custom` writes from .custom-gcl.yml.
//
// Its settings stand in golangci-lint's own file, under linters.settings.custom.doneby.settings, and have the keys of
// .doneby.yaml. They name no file: golangci-lint answers from its cache while its own file is unchanged, and would not see
// that another one is.
package golangci

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/passes/settings"
)

// Name is the name of the linter in golangci-lint's file and output.
const Name = "doneby"

// init is the one place where golangci-lint lets a module plugin make itself known.
func init() { register.Plugin(Name, New) }

// inline is what may stand under settings. The values are read by package settings, so that what is wrong with them is said
// in the same words everywhere.
type inline struct {
	Rules      any `json:"rules,omitempty"`
	Audit      any `json:"audit,omitempty"`
	Tests      any `json:"tests,omitempty"`
	Own        any `json:"own,omitempty"`
	Thresholds any `json:"thresholds,omitempty"`
	Budgets    any `json:"budgets,omitempty"`

	// Config and Tables are here to be refused with a reason.
	Config any `json:"config,omitempty"`
	Tables any `json:"tables,omitempty"`
}

// keys lists the keys that are not refused.
const keys = "rules, audit, tests, own, thresholds, budgets"

// New returns the plugin for what stands under settings in golangci-lint's file, nil when nothing does.
func New(conf any) (register.LinterPlugin, error) {
	cfg, err := config(conf)
	if err != nil {
		return nil, fmt.Errorf("linters.settings.custom.%s.settings: %w", Name, err)
	}
	return &plugin{cfg}, nil
}

// config reads the settings.
func config(conf any) (*settings.Config, error) {
	if name, ok := conf.(string); ok {
		return nil, fmt.Errorf("%q names a file, whose changes golangci-lint would not see: put its keys here (%s)", name, keys)
	}
	in, err := register.DecodeSettings[inline](conf)
	if err != nil {
		return nil, fmt.Errorf("%w: the keys are %s", err, keys)
	}
	if in.Config != nil {
		return nil, fmt.Errorf("config names a file, whose changes golangci-lint would not see: put its keys here (%s)", keys)
	}
	if in.Tables != nil {
		return nil, errors.New("tables names files, whose changes golangci-lint would not see: delete the key, and run doneby itself where own tables count")
	}
	src, err := json.Marshal(in) // which is YAML too
	if err != nil {
		return nil, err
	}
	cfg, err := settings.Parse("settings", src)
	if placed, ok := errors.AsType[*settings.Error](err); ok {
		return nil, errors.New(placed.Msg) // its place is in text that the user never saw
	}
	if err != nil {
		return nil, err
	}
	cfg.Nolint = false  // golangci-lint filters for itself, and its nolintlint judges what is in vain
	cfg.Related = false // each would be counted as one more issue
	return cfg, nil
}

type plugin struct{ cfg *settings.Config }

// BuildAnalyzers puts the settings in force and returns all analyzers.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	settings.Use(p.cfg)
	return slices.Clone(analyzers.All), nil
}

// GetLoadMode says that the analyzers need types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
