package budgets

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/internal/passtest"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
)

// step is a part of a generated program: a capped wait, parts in sequence, a choice of two, or counted rounds.
type step struct {
	wait   time.Duration
	parts  []step
	choice bool
	rounds int
}

// generate makes a program of at most that depth. No two choices hang together: each asks a question of its own.
func generate(r *rand.Rand, depth int) step {
	if depth == 0 || r.Intn(3) == 0 {
		return step{wait: time.Duration(1+r.Intn(9)) * time.Second}
	}
	s := step{parts: []step{generate(r, depth-1), generate(r, depth-1)}}
	switch r.Intn(3) {
	case 0:
		s.choice = true
	case 1:
		s.rounds = 1 + r.Intn(4)
	}
	return s
}

// source writes the step as Go.
func (s step) source(w *strings.Builder, variable *int) {
	*variable++
	n := *variable
	switch {
	case s.wait > 0:
		fmt.Fprintf(w, "if own, cancel := context.WithTimeout(ctx, %d); true { _ = db.PingContext(own); cancel() }\n", s.wait)
	case s.choice:
		fmt.Fprintf(w, "if ask(%d) {\n", n)
		s.parts[0].source(w, variable)
		w.WriteString("} else {\n")
		s.parts[1].source(w, variable)
		w.WriteString("}\n")
	default:
		if s.rounds > 0 {
			fmt.Fprintf(w, "for i%d := 0; i%d < %d; i%d++ {\n", n, n, s.rounds, n)
		}
		for _, p := range s.parts {
			p.source(w, variable)
		}
		if s.rounds > 0 {
			w.WriteString("}\n")
		}
	}
}

// run lets the step run in virtual time: late says how long a wait takes, of what it may; ask answers the choices.
func (s step) run(late func(time.Duration) time.Duration, ask func(yes, no time.Duration) bool) time.Duration {
	if s.wait > 0 {
		return late(s.wait)
	}
	if s.choice {
		yes, no := s.parts[0].run(late, ask), s.parts[1].run(late, ask)
		if ask(yes, no) {
			return yes
		}
		return no
	}
	var t time.Duration
	for range max(s.rounds, 1) {
		for _, p := range s.parts {
			t += p.run(late, ask)
		}
	}
	return t
}

// TestProperty generates programs: what is computed is never less than a run takes, and is what the worst run takes.
func TestProperty(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	var src strings.Builder
	src.WriteString("package p\nimport (\"context\"; \"database/sql\")\nfunc ask(n int) bool { return n > len(asked) }\nvar asked []int\n")
	programs := map[string]step{}
	for i := range 60 {
		name := fmt.Sprintf("F%d", i)
		programs[name] = generate(r, 4)
		fmt.Fprintf(&src, "func %s(ctx context.Context, db *sql.DB) {\n", name)
		programs[name].source(&src, new(int))
		src.WriteString("}\n")
	}
	res := passtest.Run(t, Analyzer, passtest.One("example.com/p", src.String()))[0]
	for _, fn := range ir.Of(res.Pass).Funcs {
		s, ok := programs[fn.Name()]
		if !ok {
			continue
		}
		f := new(takesFact)
		if !typeset.IsContext(fn.Params[0].Type()) || !res.Pass.ImportObjectFact(fn.Object(), f) || !f.Params[0].Time.known() {
			t.Fatalf("%s: nothing is known: %s", fn.Name(), f)
		}
		computed := f.Params[0].Time.For
		for range 20 {
			took := s.run(
				func(d time.Duration) time.Duration { return time.Duration(r.Int63n(int64(d) + 1)) },
				func(_, _ time.Duration) bool { return r.Intn(2) == 0 })
			if took > computed {
				t.Errorf("%s takes up to %s, and took %s", fn.Name(), computed, took)
			}
		}
		worst := s.run(func(d time.Duration) time.Duration { return d }, func(yes, no time.Duration) bool { return yes > no })
		if worst != computed {
			t.Errorf("%s takes up to %s, and its worst run %s", fn.Name(), computed, worst)
		}
	}
}
