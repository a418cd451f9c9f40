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

// step is a part of a generated program: a capped wait, parts in sequence, a choice of two, counted rounds, or two side by side.
type step struct {
	wait   time.Duration
	parts  []step
	choice bool
	beside bool
	rounds int
}

// generate makes a program of at most that depth. No two choices hang together: each asks a question of its own.
func generate(r *rand.Rand, depth int, beside bool) step {
	if depth == 0 || r.Intn(3) == 0 {
		return step{wait: time.Duration(1+r.Intn(9)) * time.Second}
	}
	s := step{parts: []step{generate(r, depth-1, beside), generate(r, depth-1, beside)}}
	kinds := 3
	if beside {
		kinds++
	}
	switch r.Intn(kinds) {
	case 0:
		s.choice = true
	case 1:
		s.rounds = 1 + r.Intn(4)
	case 3:
		s.beside = true
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
	case s.beside:
		fmt.Fprintf(w, "var wg%d sync.WaitGroup\nwg%d.Add(2)\n", n, n)
		for _, p := range s.parts {
			fmt.Fprintf(w, "go func() {\ndefer wg%d.Done()\n", n)
			p.source(w, variable)
			w.WriteString("}()\n")
		}
		fmt.Fprintf(w, "wg%d.Wait()\n", n)
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
	if s.beside {
		return max(s.parts[0].run(late, ask), s.parts[1].run(late, ask))
	}
	var t time.Duration
	for range max(s.rounds, 1) {
		for _, p := range s.parts {
			t += p.run(late, ask)
		}
	}
	return t
}

// written returns generated programs as one package, each a function of its own.
func written(r *rand.Rand, beside bool) (string, map[string]step) {
	var src strings.Builder
	src.WriteString("package p\nimport (\"context\"; \"database/sql\"; \"sync\")\nfunc ask(n int) bool { return n > len(asked) }\nvar asked []int\nvar _ sync.Mutex\n")
	programs := map[string]step{}
	for i := range 60 {
		name := fmt.Sprintf("F%d", i)
		programs[name] = generate(r, 4, beside)
		fmt.Fprintf(&src, "func %s(ctx context.Context, db *sql.DB) {\n", name)
		programs[name].source(&src, new(int))
		src.WriteString("}\n")
	}
	return src.String(), programs
}

// against holds what is computed for a program against runs of it in virtual time: no run takes longer, and the worst as long.
func against(t *testing.T, r *rand.Rand, name string, s step, computed time.Duration) {
	t.Helper()
	for range 20 {
		took := s.run(
			func(d time.Duration) time.Duration { return time.Duration(r.Int63n(int64(d) + 1)) },
			func(_, _ time.Duration) bool { return r.Intn(2) == 0 })
		if took > computed {
			t.Errorf("%s takes up to %s, and took %s", name, computed, took)
		}
	}
	worst := s.run(func(d time.Duration) time.Duration { return d }, func(yes, no time.Duration) bool { return yes > no })
	if worst != computed {
		t.Errorf("%s takes up to %s, and its worst run %s", name, computed, worst)
	}
}

// TestProperty holds the time under a context, of programs in which nothing runs side by side, against their runs.
func TestProperty(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	src, programs := written(r, false)
	res := passtest.Run(t, Analyzer, passtest.One("example.com/p", src))[0]
	for _, fn := range ir.Of(res.Pass).Funcs {
		s, ok := programs[fn.Name()]
		if !ok {
			continue
		}
		f := new(takesFact)
		if !typeset.IsContext(fn.Params[0].Type()) || !res.Pass.ImportObjectFact(fn.Object(), f) || !f.Params[0].Time.known() {
			t.Fatalf("%s: nothing is known: %s", fn.Name(), f)
		}
		against(t, r, fn.Name(), s, f.Params[0].Time.For)
	}
}

// TestBills holds what a budget is held against: parts side by side among them.
func TestBills(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	src, programs := written(r, true)
	res := passtest.Run(t, Analyzer, passtest.One("example.com/p", src))[0]
	for _, fn := range ir.Of(res.Pass).Funcs {
		s, ok := programs[fn.Name()]
		if !ok {
			continue
		}
		f := new(costs)
		if !res.Pass.ImportObjectFact(fn.Object(), f) {
			t.Fatalf("%s: nothing is known", fn.Name())
		}
		against(t, r, fn.Name(), s, f.For)
	}
}
