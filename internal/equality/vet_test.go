package equality

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestVetTwice wants go vet to fail, and say the same, when it answers from its cache: tools linked with an older x/tools
// exit 0 with findings, and print nothing the second time.
func TestVetTwice(t *testing.T) {
	m := pair(t)
	first, second := plainVet(t, m), plainVet(t, m)
	if first.status == 0 || second.status == 0 {
		t.Errorf("exit %d, then %d, want both to fail", first.status, second.status)
	}
	if first.stderr != second.stderr {
		t.Errorf("first:\n%s\nsecond:\n%s", first.stderr, second.stderr)
	}
	if !strings.Contains(first.stderr, message) {
		t.Errorf("the finding is missing:\n%s", first.stderr)
	}
}

// TestVetHole wants a finding in p to fail `doneby vet ./p` after `doneby vet ./q`, which ran p for its facts alone. The go
// command's key does not tell these apart, so that go vet by itself answers the second with the silence of the first.
func TestVetHole(t *testing.T) {
	m := pair(t)
	write(t, filepath.Join(m.dir, ".doneby.yaml"), shown)
	if out := ourVet(t, m, "./q"); out.status != 0 {
		t.Fatalf("q: exit %d\n%s", out.status, out.stderr)
	}
	for _, pattern := range []string{"./p", "./..."} {
		if out := ourVet(t, m, pattern); out.status == 0 || !strings.Contains(out.stderr, message) {
			t.Errorf("%s: exit %d\n%s", pattern, out.status, out.stderr)
		}
	}
	if out := ourVet(t, m, "./q"); out.status != 0 {
		t.Errorf("q again: exit %d\n%s", out.status, out.stderr)
	}
}

const (
	shown  = "rules: [ctxless]\n"
	hidden = "rules: [detached]\n"
)

// TestVetConfig wants a changed configuration to count at once, although no Go file has changed: of `doneby vet`, which
// reads .doneby.yaml, and of go vet with DONEBY_CONFIG.
func TestVetConfig(t *testing.T) {
	m := pair(t)
	named := filepath.Join(folder(t), "named.yaml")
	for _, tt := range []struct {
		name, file string
		vet        func() output
	}{
		{"doneby vet", filepath.Join(m.dir, ".doneby.yaml"), func() output { return ourVet(t, m, "./...") }},
		{"go vet", named, func() output {
			c := command{dir: m.dir, may: []int{1}, env: []string{"DONEBY_CONFIG=" + named}}
			return c.run(t, "go", "vet", "-vettool="+doneby(t), "./...")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i, conf := range []string{hidden, shown, hidden, shown} {
				write(t, tt.file, conf)
				out := tt.vet()
				if fails := out.status != 0; fails != (conf == shown) {
					t.Errorf("run %d, %s: exit %d\n%s", i, strings.TrimSpace(conf), out.status, out.stderr)
				}
			}
		})
	}
}

// TestVetBadConfig wants what is wrong with a configuration to fail go vet with its place.
func TestVetBadConfig(t *testing.T) {
	m := pair(t)
	named := filepath.Join(folder(t), "named.yaml")
	write(t, named, "audit: false\nrules: [ctxles]\n")
	c := command{dir: m.dir, may: []int{1, 2}, env: []string{"DONEBY_CONFIG=" + named}}
	out := c.run(t, "go", "vet", "-vettool="+doneby(t), "./...")
	if want := named + ":2:9: unknown rule"; out.status == 0 || !strings.Contains(out.stdout+out.stderr, want) {
		t.Errorf("exit %d, want %s\n%s%s", out.status, want, out.stdout, out.stderr)
	}
}

// message is in the finding of p.
const message = "Ping cannot carry ctx"

// pair writes a module of two: p has a finding and no test, q imports p. Its folder is new, so that nothing is known of it.
// It imports little: go vet runs the tool on every dependency, anew for every configuration.
func pair(t *testing.T) module {
	t.Helper()
	dir := folder(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/pair\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "p", "p.go"), `package p

import (
	"context"
	"database/sql"
)

func Ping(ctx context.Context, db *sql.DB) error { return db.Ping() }
`)
	write(t, filepath.Join(dir, "q", "q.go"), `package q

import "example.com/pair/p"

var Ping = p.Ping
`)
	return module{"pair", dir}
}

// plainVet runs go vet with our tool, ctxless alone.
func plainVet(t *testing.T, m module) output {
	t.Helper()
	return command{dir: m.dir, may: []int{1}}.run(t, "go", "vet", "-vettool="+doneby(t), "-settings.rules=ctxless", "./...")
}

// ourVet runs doneby vet, with go vet's own exit status.
func ourVet(t *testing.T, m module, patterns ...string) output {
	t.Helper()
	return command{dir: m.dir, may: []int{1}}.run(t, doneby(t), append([]string{"vet"}, patterns...)...)
}
