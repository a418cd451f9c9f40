package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/doneby/doneby/internal/gate"
	"github.com/doneby/doneby/passes/settings"
)

// flags is the command line of a check.
type flags struct {
	format, chdir, config, rules, tags, engine             string
	audit, tests, fix, diff, runtime, debug, version, help bool
	patterns                                               []string
}

// parse reads the command line. When it returns nil, it has said why, and the status is the second result.
func (c command) parse(args []string) (*flags, int) {
	f := new(flags)
	set := flag.NewFlagSet("doneby", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.format, "f", "text", "output `format`: text or json")
	set.StringVar(&f.chdir, "C", "", "change to `dir` first")
	f.common(set)
	set.StringVar(&f.tags, "tags", "", "comma-separated build `tags`")
	set.BoolVar(&f.fix, "fix", false, "apply the fixes that are safe, and print what is left")
	set.BoolVar(&f.diff, "diff", false, "print the fixes as a diff and apply none; the exit status is 1 when there are any")
	set.BoolVar(&f.runtime, "runtime", false, "fixes may use doneby's runtime package")
	set.BoolVar(&f.debug, "debug", false, "print the stack where an analyzer panics")
	set.BoolVar(&f.version, "version", false, "print the version")
	set.StringVar(&f.engine, "engine", "", "`engine` for tests: plain or full")
	err := set.Parse(args)
	f.patterns = set.Args()
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(c.stdout, set)
		return nil, gate.Clean
	case err != nil:
	case f.format != "text" && f.format != "json":
		err = fmt.Errorf("-f %s: the formats are text and json", f.format)
	case f.engine != "" && f.engine != "plain" && f.engine != "full":
		err = fmt.Errorf("-engine %s: the engines are plain and full", f.engine)
	default:
		return f, 0
	}
	fmt.Fprintf(c.stderr, "doneby: %v\nRun doneby -h for the flags.\n", err)
	return nil, gate.Failed
}

// common adds the flags that doneby vet has as well.
func (f *flags) common(set *flag.FlagSet) {
	set.StringVar(&f.config, "config", "", "configuration `file`; by default "+settings.FileName+" in the root of the workspace or module")
	set.StringVar(&f.rules, "rules", "", "comma-separated `rules`: ctxless only this, -detached the default without it, +lostdeadline the default and it; rule/kind likewise")
	set.BoolVar(&f.audit, "audit", false, "show the kinds of the audit tier too")
	set.BoolVar(&f.tests, "tests", false, "look into test files too")
}

func usage(w io.Writer, set *flag.FlagSet) {
	fmt.Fprint(w, `doneby finds waits that nothing ends, or that end by something else than the deadline they were given.

	doneby [flags] [packages]      check packages, by default ./...
	doneby vet [flags] [packages]  the same through go vet

The exit status is 0 when nothing was found, 1 when something was, 2 when something could not be analysed or the command
line, the configuration or a table is wrong, and 130 after Ctrl-C.

Flags:
`)
	set.SetOutput(w)
	set.PrintDefaults()
}

// file returns the configuration file to read, or "".
func (f *flags) file(dir string) (string, error) {
	if f.config != "" {
		return f.config, nil
	}
	return settings.Find(dir)
}

// settings returns the configuration: the file, with what the command line says over it.
func (f *flags) settings(dir string) (*settings.Config, error) {
	cfg := settings.Default()
	file, err := f.file(dir)
	if err != nil {
		return nil, err
	}
	if file != "" {
		if cfg, err = settings.Load(file); err != nil {
			return nil, err
		}
	}
	if f.rules != "" {
		if cfg.Rules, err = settings.ParseRules(f.rules); err != nil {
			return nil, fmt.Errorf("-rules: %w", err)
		}
	}
	cfg.Audit = cfg.Audit || f.audit
	cfg.Tests = cfg.Tests || f.tests
	cfg.Debug = f.debug
	return cfg, cfg.Check()
}

// version returns what this binary is.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("doneby %s, built with %s for %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
