// Package driver is the standalone engine: it lists packages with the go command, analyses the own ones and remembers
// what it found.
//
// The unit of work is one own package. It is parsed and type-checked from source; everything it imports, own packages
// too, comes from export data; when its findings and facts are written it is released. Own packages run in dependency
// order, independent ones in parallel. What other packages do comes from the knowledge tables, so their source is never
// read.
//
// It does not know of other build systems: it asks the go command alone. Under those, the analyzers run in the system's
// own driver.
package driver

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/passes/settings"
)

// Options says what to analyse, and how.
type Options struct {
	Dir       string   // where the go command runs; "" is the working directory
	Patterns  []string // packages, as the go command takes them; none is ./...
	Tests     bool     // look into test files too
	Tags      string   // build tags
	Config    *settings.Config
	Analyzers []*analysis.Analyzer // the roots: what they report are the findings
	Engine    string               // "" is ours; for tests "plain" and "full", see oracle.go
	CacheDir  string               // "" is the user's, see cacheDir
	NoCache   bool                 // neither read nor write a cache
	Debug     bool                 // add the stack to what is said of a panic
	Progress  io.Writer            // a terminal for the progress line, or nil

	// Overlay holds files by absolute path that are read in place of what lies on disk. The go command does not see it, so
	// what importers see of a package, and what it imports itself, has to stay within what was there.
	Overlay map[string][]byte
	// Listing keeps what the go command said, so that further runs over the same packages need not ask again.
	Listing *Listing
}

// Report is what a run found.
type Report struct {
	Findings []Finding
	Problems []Problem // what could not be analysed, and why
	Notices  []string  // what the user may want to know, and is no problem
	Analysed []string  // the packages that were run, not taken from the cache; sorted
	Packages int       // the packages that were asked for and own
}

// Finding is one thing that is wrong, at File:Line:Col.
type Finding struct {
	File            string `json:",omitempty"` // an absolute path
	Line, Col       int
	EndLine, EndCol int       `json:",omitempty"`
	Rule            string    `json:",omitempty"`
	Kind            string    `json:",omitempty"` // the kind within the rule
	Message         string    `json:",omitempty"`
	URL             string    `json:",omitempty"`
	Related         []Related `json:",omitempty"`
	Fixes           []Fix     `json:",omitempty"`
	Package         string    `json:",omitempty"` // the import path
}

// Related is a further position that explains a finding.
type Related struct {
	File            string `json:",omitempty"`
	Line, Col       int
	EndLine, EndCol int `json:",omitempty"`
	Message         string
}

// Fix is one way to mend a finding. Its edits belong together.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File       string `json:",omitempty"`
	Start, End int
	New        string `json:",omitempty"`
}

// Problem is something that could not be analysed.
type Problem struct {
	Package string   // the import path, or ""
	Message string   // one line
	Details []string // further lines, such as the errors of the compiler
}

func (p Problem) String() string {
	if p.Package == "" {
		return p.Message
	}
	return p.Package + ": " + p.Message
}

// Run analyses the packages. An error means that nothing could be: the command line is wrong, the go command fails, or
// ctx ended, in which case it is ctx's error and the cache is whole.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Config == nil {
		o.Config = settings.Default()
	}
	if err := analysis.Validate(o.Analyzers); err != nil {
		return nil, fmt.Errorf("the list of analyzers is wrong: %w", err)
	}
	settings.Use(o.Config)
	var report *Report
	var err error
	switch o.Engine {
	case "":
		report, err = newRun(o).do(ctx)
	case "plain", "full":
		report, err = oracle(ctx, o)
	default:
		return nil, fmt.Errorf("unknown engine %q: it is plain, full or nothing", o.Engine)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	report.sort()
	return report, nil
}
