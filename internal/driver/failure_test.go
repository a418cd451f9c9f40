package driver_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/driver"
)

// What cannot be analysed is named with its reason; its dependents are named; everything else is analysed.
func TestBroken(t *testing.T) {
	dir := unpack(t, "broken.txtar")
	o := options(t, dir)
	o.Patterns = []string{"./types", "./user", "./indirect", "./syntax", "./missing", "./panics", "./onpanics", "./caught", "./refused", "./embeds", "./fine"}
	const p = "example.com/broken/"
	want := []string{
		"fine/fine.go:5:14: toy: reaches Wait via Wait",
		p + "caught: could not be analysed: analyzer fragile: panic: fragile; in driver_test.init.func1",
		p + "embeds: does not compile",
		p + "indirect: not analysed because of " + p + "types",
		p + "missing: does not type-check",
		p + "onpanics: not analysed because of " + p + "panics",
		p + "panics: could not be analysed: panic: met toyPanic",
		p + "refused: could not be analysed: analyzer toy: package toyerror is refused",
		p + "syntax: does not parse",
		p + "types: does not type-check",
		p + "user: not analysed because of " + p + "types",
	}
	cold := run(t, o)
	expect(t, "cold", lines(dir, cold), want)
	expect(t, "warm: a problem stays until it is mended", lines(dir, run(t, o)), want)

	details := make(map[string]string)
	for _, p := range cold.Problems {
		details[filepath.Base(p.Package)] = strings.ReplaceAll(strings.Join(p.Details, "\n"), dir+string(filepath.Separator), "")
	}
	for name, want := range map[string]string{
		"types":   "types/types.go:3:23: cannot use \"one\" (untyped string constant) as int value in return statement",
		"syntax":  "syntax/syntax.go:3:9: ",
		"embeds":  "embeds/embeds.go:5:12: pattern nothing.txt: no matching files found",
		"missing": "missing/missing.go:3:8: could not import example.com/nowhere (no required module provides package example.com/nowhere",
	} {
		if got := filepath.ToSlash(details[name]); !strings.HasPrefix(got, want) {
			t.Errorf("details of %s:\n got %s\nwant %s", name, got, want)
		}
	}
	if !strings.HasSuffix(details["types"], "and 1 more") {
		t.Errorf("four errors are not cut to three: %s", details["types"])
	}
}

func TestDebugShowsStack(t *testing.T) {
	o := options(t, unpack(t, "broken.txtar"))
	o.Patterns = []string{"./panics"}
	o.Debug = true
	if p := run(t, o).Problems; len(p) != 1 || !strings.Contains(strings.Join(p[0].Details, "\n"), "runToy") {
		t.Errorf("no stack: %+v", p)
	}
}

func TestImportCycle(t *testing.T) {
	o := options(t, unpack(t, "broken.txtar"))
	o.Patterns = []string{"./cycle/...", "./oncycle", "./fine"}
	r := run(t, o)
	if len(r.Findings) != 1 || len(r.Problems) != 3 {
		t.Errorf("%d findings, problems %v", len(r.Findings), r.Problems)
	}
	if !strings.Contains(r.Problems[0].Message+r.Problems[1].Message, "import cycle not allowed") {
		t.Errorf("the cycle is not named: %v", r.Problems)
	}
}

// What is asked for and does not exist is one line, and no silence.
func TestNothingThere(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	write(t, dir, "empty/doc.txt", "")
	write(t, dir, "tagged/tagged.go", "//go:build never\n\npackage tagged\n")
	for pattern, want := range map[string]string{
		"./nowhere":           "directory not found",
		"./nowhere/...":       "no such file or directory",
		"./empty/...":         "matched no packages",
		"./empty":             "no Go files in",
		"./tagged":            "build constraints exclude all Go files",
		"example.com/nowhere": "no required module provides package",
	} {
		o := options(t, dir)
		o.Patterns = []string{pattern}
		r := run(t, o)
		if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].String(), want) || strings.Contains(r.Problems[0].String(), "\n") {
			t.Errorf("%s: problems %q, want one with %q", pattern, r.Problems, want)
		}
	}
}

// When the go command fails there is nothing to analyse, and its words are the error.
func TestGoListFails(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "local")
	dir := unpack(t, "chain.txtar")
	for _, test := range []struct{ gomod, want string }{
		{"module example.com/chain\n\ngo 1.99\n", "go.mod requires go >= 1.99"},
		{"module example.com/chain\n\ngo 1.26\nnonsense\n", "unknown directive: nonsense"},
	} {
		write(t, dir, "go.mod", test.gomod)
		_, err := driver.Run(t.Context(), options(t, dir))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("go.mod %q: error %v, want one line with %q", test.gomod, err, test.want)
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	run(t, o)
	if err := os.Chmod(filepath.Join(dir, "deep", "deep.go"), 0); err != nil {
		t.Fatal(err)
	}
	if r := run(t, o); len(r.Problems) == 0 {
		t.Error("a file that cannot be read is passed over")
	}
}

// Without a cache everything is analysed each time, and the user is told why.
func TestNoCache(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	file := filepath.Join(t.TempDir(), "file")
	write(t, filepath.Dir(file), "file", "not a directory")
	tests := map[string]func(t *testing.T, o *driver.Options){
		"cannot be made":    func(t *testing.T, o *driver.Options) { o.CacheDir = filepath.Join(file, "cache") },
		"is a file":         func(t *testing.T, o *driver.Options) { o.CacheDir = file },
		"relative":          func(t *testing.T, o *driver.Options) { o.CacheDir = ""; t.Setenv(driver.CacheVariable, "here") },
		"no home":           noHome,
		"cannot be written": unwritable,
	}
	for name, set := range tests {
		t.Run(name, func(t *testing.T) {
			o := options(t, dir)
			set(t, &o)
			for range 2 {
				r := run(t, o)
				expect(t, "findings", lines(dir, r), chainFindings)
				if len(r.Analysed) != 4 || len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "cache") {
					t.Errorf("analysed %v, notices %q", r.Analysed, r.Notices)
				}
			}
		})
	}
}

func noHome(t *testing.T, o *driver.Options) {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(out)) // the go command needs its own
	t.Setenv("GOCACHE", dirs[0])
	t.Setenv("GOMODCACHE", dirs[1])
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv(driver.CacheVariable, "")
	o.CacheDir = ""
}

// unwritable puts files where the cache wants directories for its entries, which stops root as well.
func unwritable(t *testing.T, o *driver.Options) {
	const hex = "0123456789abcdef"
	for _, a := range hex {
		for _, b := range hex {
			write(t, o.CacheDir, string(a)+string(b), "")
		}
	}
}

// An entry that was damaged is written anew.
func TestDamagedCache(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	run(t, o)
	damaged := 0
	err := filepath.WalkDir(o.CacheDir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "-d") {
			damaged++
			err = os.WriteFile(path, []byte("{"), 0o666)
		}
		return err
	})
	if err != nil || damaged != 4 {
		t.Fatalf("damaged %d entries, error %v", damaged, err)
	}
	r := run(t, o)
	expect(t, "findings", lines(dir, r), chainFindings)
	if len(r.Analysed) != 4 {
		t.Errorf("analysed %v", r.Analysed)
	}
	if r := run(t, o); len(r.Analysed) != 0 {
		t.Errorf("not written anew: %v", r.Analysed)
	}
}

// Processes on one cache do not disturb each other.
func TestTwoProcesses(t *testing.T) {
	if dir := os.Getenv("DRIVER_TEST_DIR"); dir != "" {
		o := options(t, dir)
		o.CacheDir = os.Getenv("DRIVER_TEST_CACHE")
		expect(t, "findings", lines(dir, run(t, o)), chainFindings)
		return
	}
	dir := unpack(t, "chain.txtar")
	cache := t.TempDir()
	var all []*exec.Cmd
	for range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTwoProcesses$")
		cmd.Env = append(os.Environ(), "DRIVER_TEST_DIR="+dir, "DRIVER_TEST_CACHE="+cache)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("one of four: %v", err)
		}
	}
	o := options(t, dir)
	o.CacheDir = cache
	if r := run(t, o); len(r.Analysed) != 0 {
		t.Errorf("nothing was left in the cache: analysed %v", r.Analysed)
	}
}

// Lines that end as on Windows have the same numbers.
func TestCRLF(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	for _, name := range []string{"deep/deep.go", "mid/mid.go", "top/top.go", "alone/alone.go"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, strings.ReplaceAll(string(data), "\n", "\r\n"))
	}
	expect(t, "findings", lines(dir, run(t, options(t, dir))), chainFindings)
}

func TestUnknownEngine(t *testing.T) {
	o := options(t, unpack(t, "chain.txtar"))
	o.Engine = "steam"
	if _, err := driver.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "steam") {
		t.Errorf("error %v", err)
	}
}
