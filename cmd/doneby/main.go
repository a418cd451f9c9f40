// Doneby finds waits that nothing ends, or that end by something else than the deadline they were given.
//
//	doneby [flags] [packages]      check packages, by default ./...
//	doneby vet [flags] [packages]  the same through go vet, which caches by itself
//
// The binary is go vet's tool as well: go vet -vettool=$(which doneby) ./...
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/gate"
)

// heapGrowth is how far the heap grows between two collections, in per cent of what is live; Go's own default is 100. A run
// makes much that lives as long as one package: on caddy this takes a fifth off its CPU time, and its memory stays that of
// loading the packages alone (make bench).
const heapGrowth = 300

func main() {
	args := os.Args[1:]
	if forVet(args) {
		vetTool(args) // does not return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
	}()
	c := command{stdout: os.Stdout, stderr: os.Stderr, analyzers: analyzers.All}
	if len(args) > 0 && args[0] == "vet" {
		os.Exit(c.vet(ctx, args[1:]))
	}
	os.Exit(c.check(ctx, args))
}

// A command has what main gets from the system, for tests to give it something else.
type command struct {
	stdout, stderr io.Writer
	analyzers      []*analysis.Analyzer
}

// fail says on stderr what is wrong and returns the status for it.
func (c command) fail(err error) int {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.stderr, "doneby: interrupted")
		return gate.Interrupted
	}
	fmt.Fprintf(c.stderr, "doneby: %v\n", err)
	return gate.Failed
}

// check is what doneby does without a subcommand.
func (c command) check(ctx context.Context, args []string) int {
	f, status := c.parse(args)
	if f == nil {
		return status
	}
	if f.version {
		fmt.Fprintln(c.stdout, version())
		return gate.Clean
	}
	if f.chdir != "" {
		if err := os.Chdir(f.chdir); err != nil {
			return c.fail(fmt.Errorf("-C: %w", err))
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return c.fail(err)
	}
	cfg, err := f.settings(dir)
	if err != nil {
		return c.fail(err)
	}
	for _, notice := range cfg.Notices() {
		fmt.Fprintf(c.stderr, "doneby: %s\n", notice)
	}
	if f.runtime {
		fmt.Fprintln(c.stderr, "doneby: -runtime has no effect yet: the runtime package is not built")
	}
	report, err := driver.Run(ctx, driver.Options{
		Patterns: f.patterns, Tests: cfg.Tests, Tags: f.tags, Config: cfg, Analyzers: c.analyzers,
		Engine: f.engine, Debug: f.debug, Progress: terminal(c.stderr),
	})
	if err != nil {
		return c.fail(err)
	}
	for _, notice := range report.Notices {
		fmt.Fprintf(c.stderr, "doneby: %s\n", notice)
	}
	gate.Problems(c.stderr, dir, report.Problems)
	return c.print(f, dir, report)
}

// print writes what was found, or mends it, and returns the status.
func (c command) print(f *flags, dir string, report *driver.Report) int {
	var err error
	switch {
	case f.fix || f.diff:
		return c.fix(f, dir, report)
	case f.format == "json":
		err = gate.JSON(c.stdout, report.Findings)
	default:
		err = gate.Text(c.stdout, dir, report.Findings)
	}
	if err != nil {
		return c.fail(err)
	}
	return gate.Status(report)
}

// fix applies the fixes, or shows them. What is left to mend by hand is printed by -fix; -diff prints a diff alone.
func (c command) fix(f *flags, dir string, report *driver.Report) int {
	fixed, err := gate.Fix(report.Findings)
	if err != nil {
		return c.fail(err)
	}
	if fixed.Skipped > 0 {
		fmt.Fprintf(c.stderr, "doneby: %d fixes change the same places as others and were left out: run again\n", fixed.Skipped)
	}
	if f.diff {
		if err := fixed.Diff(c.stdout, dir); err != nil {
			return c.fail(err)
		}
		report.Findings = nil
		if status := gate.Status(report); status != gate.Clean || len(fixed.Changes) == 0 {
			return status
		}
		return gate.Found
	}
	if err := fixed.Write(); err != nil {
		return c.fail(err)
	}
	report.Findings = fixed.Left
	left := *f
	left.fix = false
	return c.print(&left, dir, report)
}

// terminal returns w if it is a terminal, for the progress line.
func terminal(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return f
}
