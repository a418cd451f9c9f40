package summaries

import (
	"go/token"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/contexts"
)

// Verdict is what is to be said about one wait, in parts: the rule that bears its name writes the sentence.
type Verdict struct {
	Rule, Kind string
	Pos        token.Pos     // see Range
	End        token.Pos     // of what is no call
	Subject    string        // what is wrong, as a reader would type it: context.Background, http.Get
	Ctx        string        // the context in reach, as a reader would type it; "" when there is none
	Wait       string        // the wait, when it is another expression than the subject
	Via        string        // the last step towards the wait
	Use        string        // the form that carries a context
	For        time.Duration // the bound, when it has one whose length is known
	Allows     time.Duration // blindretry/fit: what the context allows
	Next       time.Duration // blindretry/fit: the cap of the next attempt, 0 when the pause alone is too long
	Path       []trace.Hop   // the calls on the way, in this package, in order of flow
	Left       token.Pos     // orphan/pipe, orphan/open, orphan/gone: the return that leaves the goroutine behind
	In         *ssa.Function
	Conn       bool             // I/O on a connection
	Carrier    contexts.Carrier // what Ctx names
	Joined     bool             // every wait that it is about is over when the call returns: none in a goroutine, nor when ctx is over
}

// court collects verdicts, one a defect: the rule that speaks first, then the nearest wait.
type court struct {
	byPos map[token.Pos]Verdict
	rank  map[string]int
	loose map[token.Pos]bool // places of which some wait is not joined: see Verdict.Joined
	roots map[token.Pos]*dropped
}

func newCourt() *court {
	c := &court{byPos: make(map[token.Pos]Verdict), rank: make(map[string]int), loose: make(map[token.Pos]bool), roots: make(map[token.Pos]*dropped)}
	for i, rule := range kinds.Rules {
		c.rank[rule] = i
	}
	return c
}

// add enters a verdict. Of two about the same expression the one without any bound is the defect: a root whose waits are
// all bounded is fixedtimeout's, one that also reaches an unbounded wait is not.
func (c *court) add(v Verdict) {
	old, ok := c.byPos[v.Pos]
	if !ok || c.before(v, old) {
		c.byPos[v.Pos] = v
	}
}

func (c *court) before(a, b Verdict) bool {
	if fixed := a.Rule == "fixedtimeout"; fixed != (b.Rule == "fixedtimeout") {
		return !fixed
	}
	if a.Rule != b.Rule {
		return c.rank[a.Rule] < c.rank[b.Rule]
	}
	if late := a.Kind == "default"; a.Rule == "detached" && late != (b.Kind == "default") {
		return !late
	}
	if a.Rule == "deafwait" && a.Kind != b.Kind {
		if x, y := Sort(a.Kind).apart(), Sort(b.Kind).apart(); x != y {
			return y // a wait that is certain before one of a kind of its own
		}
	}
	if len(a.Path) != len(b.Path) {
		return len(a.Path) < len(b.Path)
	}
	if a.Kind != b.Kind {
		return a.Kind < b.Kind
	}
	return a.Wait < b.Wait
}

// verdicts returns what was found, in source order; of the I/O on connections, one place in a function stands for the
// rest.
func (c *court) verdicts() []Verdict {
	c.gather()
	all := make([]Verdict, 0, len(c.byPos))
	for _, v := range c.byPos {
		all = append(all, v)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Pos < all[j].Pos })
	var out []Verdict
	speaks := speakers(all)
	for _, v := range all {
		if v.Conn && speaks[v.In] != v.Pos {
			continue
		}
		v.Joined = !c.loose[v.Pos]
		out = append(out, v)
	}
	return out
}

// speakers returns, for each function with I/O on connections, the place that stands for the rest: its first read, since what is
// written goes to a buffer first, or its first write when it only writes.
func speakers(all []Verdict) map[*ssa.Function]token.Pos {
	at := make(map[*ssa.Function]token.Pos)
	onlyWrites := make(map[*ssa.Function]bool)
	for _, v := range all {
		if !v.Conn {
			continue
		}
		_, spoken := at[v.In]
		switch isWrite := writesConn(v.Wait); {
		case !spoken:
			at[v.In], onlyWrites[v.In] = v.Pos, isWrite
		case onlyWrites[v.In] && !isWrite:
			at[v.In], onlyWrites[v.In] = v.Pos, false
		}
	}
	return at
}

// writesConn reports whether a wait, by its name, is for a connection to take what is sent.
func writesConn(wait string) bool {
	return strings.Contains(wait, ").Write") || strings.HasSuffix(wait, ").Flush") || strings.HasPrefix(wait, "fmt.Fprint") || wait == "io.WriteString"
}

// Range returns the expression that a verdict is about.
func (r *Result) Range(v Verdict) (pos, end token.Pos) {
	if s, ok := r.deaf.shown[v.Pos]; ok {
		return s.pos, s.end
	}
	if v.End.IsValid() {
		return v.Pos, v.End
	}
	if call, ok := r.calls[v.Pos]; ok {
		return call.Pos(), call.End()
	}
	return v.Pos, v.Pos
}
