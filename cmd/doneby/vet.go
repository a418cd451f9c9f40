package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/gate"
	"github.com/doneby/doneby/passes/settings"
)

// rootsVariable tells the tool which packages go vet was asked for. Their names are in the tool's version, and so in the
// keys of go vet's cache: these do not hold whether a package was asked for or only gave its facts, and go vet would answer
// for the one with the silence of the other.
const rootsVariable = "DONEBY_VET_ROOTS"

// forVet reports whether the go command is calling.
func forVet(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return a == "-V=full" || a == "-flags" || strings.HasSuffix(a, ".cfg") && !strings.HasPrefix(a, "-")
	})
}

// vetTool does what go vet asks of its tool, and ends the process.
func vetTool(args []string) {
	if slices.Contains(args, "-V=full") {
		line, err := toolVersion()
		if err != nil {
			fmt.Fprintf(os.Stderr, "doneby: %v\n", err)
			os.Exit(gate.Failed)
		}
		fmt.Println(line)
		os.Exit(0)
	}
	unitchecker.Main(append([]*analysis.Analyzer{settings.Analyzer}, analyzers.All...)...)
}

// toolVersion identifies the tool to the go command: by the binary, the configuration, which go vet does not look at, and
// the packages asked for.
func toolVersion() (string, error) {
	exe, err := driver.Executable()
	if err != nil {
		return "", err
	}
	cfg, err := settings.Current()
	if err != nil {
		return "", err
	}
	roots := os.Getenv(rootsVariable)
	if roots == "" {
		roots = "any"
	}
	return fmt.Sprintf("doneby version devel buildID=%s-%s-%s", exe, cfg.Hash(), roots), nil
}

// vetFlags is the command line of doneby vet.
type vetFlags struct {
	flags
	json, all, verbose bool
}

func (f *vetFlags) set() *flag.FlagSet {
	set := flag.NewFlagSet("doneby vet", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.chdir, "C", "", "change to `dir` first")
	f.common(set)
	set.StringVar(&f.tags, "tags", "", "comma-separated build `tags`")
	set.BoolVar(&f.json, "json", false, "print findings as JSON")
	set.BoolVar(&f.fix, "fix", false, "apply the fixes that are safe")
	set.BoolVar(&f.diff, "diff", false, "with -fix, print a diff and apply nothing")
	set.BoolVar(&f.all, "a", false, "do not take anything from go vet's cache")
	set.BoolVar(&f.verbose, "v", false, "print the names of packages as they are vetted")
	return set
}

// vet runs go vet with this binary as its tool, and returns go vet's own status.
func (c command) vet(ctx context.Context, args []string) int {
	f := new(vetFlags)
	set := f.set()
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(c.stdout, "doneby vet [flags] [packages] runs doneby through go vet. Flags:")
		set.SetOutput(c.stdout)
		set.PrintDefaults()
		return gate.Clean
	} else if err != nil {
		return c.fail(fmt.Errorf("%w\nRun doneby vet -h for the flags", err))
	}
	if f.chdir != "" {
		if err := os.Chdir(f.chdir); err != nil {
			return c.fail(fmt.Errorf("-C: %w", err))
		}
	}
	patterns := set.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	env, err := f.environment(ctx, patterns)
	if err != nil {
		return c.fail(err)
	}
	exe, err := os.Executable()
	if err != nil {
		return c.fail(err)
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"vet", "-vettool=" + exe}, f.arguments()...), patterns...)...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, c.stdout, c.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go vet ends its own children
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return c.fail(err)
	}
	if status := cmd.ProcessState.ExitCode(); status >= 0 {
		return status
	}
	return gate.Interrupted
}

// environment returns the environment for go vet: ours, with the configuration file and the packages asked for.
func (f *vetFlags) environment(ctx context.Context, patterns []string) ([]string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if _, err := f.settings(dir); err != nil { // say what is wrong once, not once a package
		return nil, err
	}
	file, err := f.file(dir)
	if err != nil {
		return nil, err
	}
	if file != "" {
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
	}
	roots, err := rootSet(ctx, f.tags, patterns)
	if err != nil {
		return nil, err
	}
	return append(os.Environ(), settings.Variable+"="+file, rootsVariable+"="+roots), nil
}

// arguments returns the flags for go vet.
func (f *vetFlags) arguments() []string {
	var args []string
	add := func(yes bool, arg string) {
		if yes {
			args = append(args, arg)
		}
	}
	add(f.tags != "", "-tags="+f.tags)
	add(f.rules != "", "-settings.rules="+f.rules)
	add(f.audit, "-settings.audit")
	add(f.tests, "-settings.tests")
	add(f.json, "-json")
	add(f.fix, "-fix")
	add(f.diff, "-diff")
	add(f.all, "-a")
	add(f.verbose, "-v")
	return args
}

// rootSet returns a hash of the names of the packages asked for.
func rootSet(ctx context.Context, tags string, patterns []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-tags=" + tags, "--"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list failed: %w", err)
	}
	names := strings.Fields(string(out))
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:8]), nil
}
