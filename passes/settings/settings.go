// Package settings holds every option in one struct, validated once, and hands it to every other analyzer. It says what to
// look for and what to show; it knows nothing about the program under analysis.
package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/doneby/doneby/internal/knowledge"
)

// Config is every option. A driver starts from Default, Load or Parse, sets what its command line says, and calls Use.
// A Config in use is not changed any more.
type Config struct {
	Rules      []string   // which kinds are shown, in the grammar of Shows
	Audit      bool       // show the kinds of the audit tier too
	Tests      bool       // show findings in test files too
	Own        []string   // import path prefixes that are own, whatever the module says
	Tables     []string   // files of user tables, relative to the config file
	Thresholds Thresholds // numbers that a rule compares with
	Budgets    []Declared // how long routes and functions may take
	Nolint     bool       // honour //nolint; off under golangci-lint, which filters for itself
	Related    bool       // keep related information; off under golangci-lint, which counts each as an issue
	Debug      bool       // print the stack of a caught panic; changes no finding

	rows     []knowledge.Row   // the rows of Tables
	tables   *knowledge.Tables // built-in tables with rows laid over, nil without rows
	selected *selection        // Rules, parsed; nil until Check, then Shows parses for itself
}

// Thresholds are the numbers that a rule compares with.
type Thresholds struct {
	Sleep time.Duration // a shorter pause is not worth a finding
}

// Default returns the configuration that holds when nothing is said.
func Default() *Config {
	return &Config{Thresholds: Thresholds{Sleep: 100 * time.Millisecond}, Nolint: true, Related: true}
}

// Knowledge returns the tables in force: the built-in ones, with the user's rows laid over them.
func (c *Config) Knowledge() *knowledge.Tables {
	if c.tables == nil {
		return knowledge.Builtin()
	}
	return c.tables
}

// TableRows returns the rows of the user's tables in the order in which they were read, for a driver to check against the
// packages it loads: a row that names nothing there is an error.
func (c *Config) TableRows() []knowledge.Row { return slices.Clone(c.rows) }

// addRows lays rows over the tables in force.
func (c *Config) addRows(rows []knowledge.Row) {
	if len(rows) == 0 {
		return
	}
	c.rows = append(c.rows, rows...)
	c.tables = knowledge.Builtin().With(c.rows)
}

// OwnPath reports whether the own key claims the package with that import path: the path is one of the prefixes, or lies
// below one. The test variants of a package count with it.
func (c *Config) OwnPath(importPath string) bool {
	importPath, _, _ = strings.Cut(importPath, " [") // p [p.test]
	for _, prefix := range c.Own {
		prefix = strings.TrimSuffix(prefix, "/")
		if importPath == prefix || importPath == prefix+"_test" || strings.HasPrefix(importPath, prefix+"/") {
			return true
		}
	}
	return false
}

// budgets returns the budgets by their keys: the order of the file says nothing.
func (c *Config) budgets() []Declared {
	return slices.SortedFunc(slices.Values(c.Budgets), func(a, b Declared) int { return strings.Compare(a.Key, b.Key) })
}

// Hash returns a stable hash of everything in the configuration that can change a finding, for the keys of caches. Two
// configurations that select, own and know the same have the same hash, wherever their files lie and however they are written.
func (c *Config) Hash() string {
	rows := slices.Clone(c.rows)
	for i := range rows {
		rows[i].File, rows[i].Line = "", 0
	}
	own := slices.Clone(c.Own)
	slices.Sort(own)
	data, err := json.Marshal(struct {
		Shown           []string
		Tests           bool
		Own             []string
		Thresholds      Thresholds
		Budgets         []Declared
		Nolint, Related bool
		Rows            []knowledge.Row
	}{c.shown(), c.Tests, slices.Compact(own), c.Thresholds, c.budgets(), c.Nolint, c.Related, rows})
	if err != nil {
		panic("settings: a configuration that cannot be hashed: " + err.Error()) // strings, numbers and flags always can
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
