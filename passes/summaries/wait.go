package summaries

import (
	"go/token"
	"sort"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/trace"
)

// End says what ends a wait, seen from the function that waits.
type End uint8

const (
	ByParam   End = iota // the context that a parameter brings
	ByRoot               // a context made below, which nobody above can end
	ByNothing            // nothing: the API carries no context
)

// Traits is what a caller must know of a wait, whoever waits: all that tells two waits of a function apart but their end. It
// is comparable, and goes into facts as it is.
type Traits struct {
	Own     bool // has a bound of its own
	Unsure  bool // a client made out of sight may bound it
	Async   bool // waits in a goroutine that nobody joins
	Left    bool // waits in a goroutine that its starter waits for a while, needs nothing of, and then leaves behind
	Meant   bool // is meant to last
	Known   bool // the tables know it, it is not assumed from a signature
	Default bool // the bound is the library's own default
	Hidden  bool // is behind a function value or an interface of which nothing is in sight, taken to wait by its signature
	Cleanup bool // is part of ending something, or runs when what could be inherited is over
	Wrapper bool // an API of ours without a context beside its twin with one
	Lookup  bool // is for the name of a host, which the system's resolver gives up by itself
	Local   bool // is for a goroutine of this process, or for time to pass: a semaphore, a rate
	Inside  bool // is for a database that runs in this process: its files are on this machine, what holds a statement up is a lock
	Process bool // is for a command of this machine, which its user sees running and can end
	Readies bool // readies a statement in a transaction, whose own context may end it
	Deaf    bool // is for another goroutine or for time, see type deaf
	Sort    Sort // of a Deaf wait: why it is of a kind of its own
	Flight  bool // is for another call of the same function: as long as what that was given to run
	Pause   bool // waits for time to pass, and for nothing else
	Stopped bool // of a Pause: the end of its component ends it too
	Retry   bool // goes round: a pause between rounds, or a call that makes attempts until one succeeds
	Asks    bool // goes round, and may end when an attempt fails or at its next look
	Shared  bool // is for what is loaded once, and kept for all who come later
	Coming  bool // is for what the sender of a request has still to send
}

// Wait is one way in which a function waits.
type Wait struct {
	Traits
	End     End
	Param   *ssa.Parameter  // ByParam: of the function at hand, or, for a literal, of one that encloses it
	For     time.Duration   // how long its own bound is, 0 when not known
	Given   bool            // the function value is a parameter: whoever gives it decides
	Conn    bool            // is I/O on a connection
	Foreign bool            // of a function of another own package, which reports it if it is to be reported
	Name    string          // the wait, as a reader would type it
	Use     string          // the form that carries a context
	Root    string          // ByRoot: what made the context
	Via     []string        // the functions on the way to it, the nearest first, at most three
	Src     token.Pos       // where this package can mend it: the root, or the call of the API
	In      *ssa.Function   // the function that has Src
	Bodies  []*ssa.Function // of an interface's method: the bodies that agree on it
	Path    []trace.Hop     // calls on the way, in this package
}

// key tells apart the waits that a caller must tell apart.
type key struct {
	traits Traits
	end    End
	param  *ssa.Parameter
	src    token.Pos
}

func (w Wait) key() key {
	k := key{traits: w.Traits, end: w.End, param: w.Param}
	if w.End != ByParam {
		k.src = w.Src
	}
	return k
}

// Last returns the last step towards the wait, or "".
func (w Wait) Last() string {
	if len(w.Via) == 0 {
		return ""
	}
	return w.Via[len(w.Via)-1]
}

// through returns w as a caller of the function called name sees it, called at pos.
func (w Wait) through(name string, pos token.Pos) Wait {
	w.Via = trace.Names(name, w.Via)
	w.Path = trace.Before(trace.Hop{Pos: pos, Name: name}, w.Path)
	return w
}

// waits is the set of waits of a function, one a key: the nearest.
type waits struct {
	byKey map[key]Wait
	list  []Wait // sorted, until the next add
}

// maxWaits is how many waits of a function are kept apart: a function below which there are more says nothing by the rest.
const maxWaits = 64

// add puts w into the set and reports whether that is news.
func (s *waits) add(w Wait) bool {
	k := w.key()
	old, ok := s.byKey[k]
	if ok && !nearer(w, old) || !ok && len(s.byKey) >= maxWaits {
		return false
	}
	if s.byKey == nil {
		s.byKey = make(map[key]Wait)
	}
	s.byKey[k], s.list = w, nil
	return !ok
}

// nearer orders the waits of one key: fewer hops first, then by name, so that the result depends on no order.
func nearer(a, b Wait) bool {
	switch {
	case len(a.Via) != len(b.Via):
		return len(a.Via) < len(b.Via)
	case a.Name != b.Name:
		return a.Name < b.Name
	}
	return len(a.Via) > 0 && a.Via[0] < b.Via[0]
}

// sorted returns the waits in a fixed order.
func (s *waits) sorted() []Wait {
	if s.list == nil && len(s.byKey) > 0 {
		for _, w := range s.byKey {
			s.list = append(s.list, w)
		}
		sort.Slice(s.list, func(i, j int) bool { return less(s.list[i], s.list[j]) })
	}
	return s.list
}

func less(a, b Wait) bool {
	switch {
	case a.End != b.End:
		return a.End < b.End
	case a.Src != b.Src:
		return a.Src < b.Src
	case a.Param != b.Param && a.Param != nil && b.Param != nil:
		return a.Param.Pos() < b.Param.Pos()
	case a.Traits.rank() != b.Traits.rank():
		return a.Traits.rank() < b.Traits.rank()
	case a.Sort != b.Sort:
		return a.Sort < b.Sort
	}
	return nearer(a, b)
}

// rank orders waits by how little is known to end them.
func (t Traits) rank() (n int) {
	for _, yes := range [...]bool{
		t.Own, t.Async, t.Left, t.Meant, !t.Known, t.Unsure, t.Hidden, t.Cleanup, t.Default, t.Wrapper, t.Lookup, t.Local, t.Inside,
		t.Process, t.Readies, t.Deaf, t.Sort != "", t.Flight, t.Pause, t.Stopped, t.Retry, t.Asks, t.Shared, t.Coming,
	} {
		n <<= 1
		if yes {
			n |= 1
		}
	}
	return n
}
