package equality

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/kinds"
)

// A driver runs doneby over a module, with the audit tier and tests off and the built rules named.
type driver struct {
	name string
	run  func(t *testing.T, m module) []finding
}

// drivers are all that must agree; standalone is what the others are compared with.
var drivers = []driver{
	{"standalone", func(t *testing.T, m module) []finding { return runDoneby(t, m) }},
	{"plain", func(t *testing.T, m module) []finding { return runDoneby(t, m, "-engine=plain") }},
	{"full", func(t *testing.T, m module) []finding { return runDoneby(t, m, "-engine=full") }},
	{"vet", runVet},
	{"golangci", runGolangci},
}

// rules names the built rules: by name a kind is shown whatever its tier, so that more is compared.
func rules() []string {
	return slices.DeleteFunc(slices.Clone(kinds.Rules), func(r string) bool { return !kinds.Built(r) })
}

func rulesFlag() string { return strings.Join(rules(), ",") }

func runDoneby(t *testing.T, m module, args ...string) []finding {
	t.Helper()
	args = append([]string{"-rules=" + rulesFlag()}, args...)
	out := command{dir: m.dir, may: []int{0, 1}}.run(t, doneby(t), append(args, "./...")...)
	return parseText(t, m, out.stdout)
}

// runVet asks for JSON, since go vet's text does not name the analyzer.
func runVet(t *testing.T, m module) []finding {
	t.Helper()
	out := command{dir: m.dir}.run(t, "go", "vet", "-vettool="+doneby(t), "-settings.rules="+rulesFlag(), "-json", "./...")
	return parseVetJSON(t, m, out.stdout)
}

// runGolangci runs the file that users are given, with the rules put in.
func runGolangci(t *testing.T, m module) []finding {
	t.Helper()
	conf := golangciFile(t)
	out := command{dir: m.dir, may: []int{0, 1}, env: []string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}}.run(t, golangci(t),
		"run", "--allow-parallel-runners", "--config="+conf, "--enable-only=doneby", "--path-mode=abs", "--show-stats=false",
		"--output.text.path=stdout", "--output.text.colors=false", "--output.text.print-issued-lines=false", "./...")
	return parseGolangci(t, m, out.stdout)
}

// golangciFile writes .golangci-example.yml with the built rules in it.
func golangciFile(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, ".golangci-example.yml"))
	if err != nil {
		t.Fatal(err)
	}
	const empty = "rules: []"
	if strings.Count(string(src), empty) != 1 {
		t.Fatalf(".golangci-example.yml does not hold %q once", empty)
	}
	name := filepath.Join(t.TempDir(), "golangci.yml")
	write(t, name, strings.Replace(string(src), empty, "rules: ["+rulesFlag()+"]", 1))
	return name
}

// A command runs a program in dir. Another exit status than 0 or those of may fails the test.
type command struct {
	dir string
	env []string
	may []int
}

type output struct {
	stdout, stderr string
	status         int
}

func (c command) run(t *testing.T, name string, args ...string) output {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	// A cache of its own makes every run cold; what a user has set must not count.
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DONEBY_") })
	cmd.Env = append(append(env, "DONEBY_CACHE="+t.TempDir(), "GOWORK=off", "PWD="+c.dir), c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	out := output{stdout.String(), stderr.String(), 0}
	if ok {
		out.status = exit.ExitCode()
	}
	if out.status != 0 && !slices.Contains(c.may, out.status) {
		t.Fatalf("%s: exit %d\n%s%s", cmd, out.status, out.stdout, out.stderr)
	}
	return out
}
