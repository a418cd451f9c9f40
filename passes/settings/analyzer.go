package settings

import (
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
)

// Analyzer hands the configuration in force to every other analyzer, all of which require it. It has flags for go vet, where
// a driver of ours does not run: -settings.rules, -settings.audit and -settings.tests. No flag names a file: go vet does not
// look into files that its flags name, and would answer from its cache when such a file has changed.
var Analyzer = &analysis.Analyzer{
	Name:             "settings",
	Doc:              "hand the options to every other analyzer",
	URL:              "https://github.com/doneby/doneby/tree/main/passes/settings",
	Run:              func(*analysis.Pass) (any, error) { return Current() },
	Flags:            flags(),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Config](),
}

// The words of go vet's command line.
var (
	flagRules ruleList
	flagAudit bool
	flagTests bool
)

func flags() flag.FlagSet {
	var set flag.FlagSet
	set.Var(&flagRules, "rules", "comma-separated `rules`: ctxless only this, -detached the default without it, +lostdeadline the default and it; rule/kind likewise")
	set.BoolVar(&flagAudit, "audit", false, "show the kinds of the audit tier too")
	set.BoolVar(&flagTests, "tests", false, "show findings in test files too")
	return set
}

// ruleList is a flag value that is checked when the command line is read, and not once for each package.
type ruleList []string

func (l *ruleList) String() string { return strings.Join(*l, ",") }

func (l *ruleList) Set(list string) error {
	if list == "" {
		*l = nil
		return nil
	}
	words, err := ParseRules(list)
	*l = words
	return err
}

// inUse is what Use was given.
var inUse atomic.Pointer[Config]

// Use makes cfg the configuration in force: drivers call it before they run an analyzer. Use(nil) returns to the state in
// which nobody has called it.
func Use(cfg *Config) { inUse.Store(cfg) }

// Of returns the configuration in force for the pass, whose analyzer requires Analyzer.
func Of(pass *analysis.Pass) *Config { return pass.ResultOf[Analyzer].(*Config) }

// Current returns the configuration in force: what Use was given; otherwise the file that DONEBY_CONFIG names, or the
// default, changed by the flags.
func Current() (*Config, error) {
	if cfg := inUse.Load(); cfg != nil {
		return cfg, nil
	}
	return fromEnvironment(configVariable(), flagRules, flagAudit, flagTests)
}

// unset is the configuration when nobody has called Use: a process reads it once for each state of environment and flags.
var unset struct {
	sync.Mutex
	key string
	cfg *Config
	err error
}

// fromEnvironment returns the configuration that the environment and the flags describe.
func fromEnvironment(file string, rules []string, audit, tests bool) (*Config, error) {
	unset.Lock()
	defer unset.Unlock()
	key := fmt.Sprintf("%q %q %t %t", file, rules, audit, tests)
	if unset.key != key {
		unset.cfg, unset.err = read(file, rules, audit, tests)
		unset.key = key
	}
	return unset.cfg, unset.err
}

func read(file string, rules []string, audit, tests bool) (*Config, error) {
	cfg := Default()
	if file != "" {
		if !filepath.IsAbs(file) {
			return nil, fmt.Errorf("%s=%s is not an absolute path: go vet runs its tool in several directories; give the whole path", Variable, file)
		}
		var err error
		if cfg, err = Load(file); err != nil {
			return nil, err
		}
	}
	if rules != nil {
		cfg.Rules = rules
	}
	cfg.Audit = cfg.Audit || audit
	cfg.Tests = cfg.Tests || tests
	return cfg, cfg.Check()
}
