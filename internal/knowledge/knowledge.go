// Package knowledge holds what is known about the world: which functions of the standard library and of common libraries
// wait, and what ends the wait. It is text (data/*.txt, one file an import path, one row a function) and a lookup.
//
// A row is
//
//	NAME  VERB  key=value… flags…   # comment
//
// keyed by types.Func.FullName without type parameters. The verbs carries, enters and none also take the name of a type,
// as types.TypeString writes it (*net/http.Request, net/http.HandlerFunc): carries, values of it bring a context; enters,
// functions of it, or in the fields of values of it, are entry points; none, none of its methods takes time unless it has a row of its own. The verbs:
//
//	waits    lasts as long as something outside pleases
//	sleeps   pauses for the duration given
//	roots    makes a context that nothing ends
//	derives  makes a context from another, perhaps with a bound
//	drops    makes a context that keeps the values of another, not its end
//	binds    makes a handle (request, command, session, option) whose later waits end with the context given, or with none
//	bounds   puts a bound on its receiver or argument
//	carries  a type, or a method's result, brings a context
//	spawns   runs a function that nobody here waits for
//	calls    runs a function before it returns
//	enters   is an entry point, or registers one
//	exits    never returns
//	none     looked at: takes no time that matters
//
// A Place is a parameter's index (the receiver not counted; a variadic parameter's index names all that are given there)
// or recv, either followed by a selector (.Context(), .ctx), or opts: a context among the variadic options.
//
// Combinations that need a word:
//
//	binds ctx=P          the result is bound to P
//	binds ctx=P on=Q     Q itself (recv: the receiver) is bound to P
//	binds on=Q           the result carries what Q carries: a reader over a conn, a pipe of a command
//	binds                the result is bound to no context
//	binds default=D      the library ends its waits after D besides
//	drops within=P       and puts the bound at P on what it makes: a detach that says when it ends
//	derives field=F      the receiver puts a bound on it where its field F is set; so does calls, on what it gives the function
//	bounds ctx=P on=Q    I/O on Q ends with the context at P
//	bounds recv          it is the receiver that is bound (and on=P: the value at P)
//	calls func=P ctx=C   the context that the function at P is called with comes from C
//	waits io on=P,Q      conn I/O on P and on Q; a deadline set on the one that waits ends it. io speaks of conns and of what was
//	                     made from one (binds on=): on a file, a buffer or a value of unknown origin it says nothing
//	waits field=F on=P   F is a field of P rather than of the receiver
//	waits unless=N       has a bound when what it waits on was made with the option N, or by the method N, or had its setter N called
//	waits local use=N    for time to pass; who has a context is to call N
//	enters func=P ctx=C  the function at P is an entry point, C is a place in *its* parameters
//	enters func=P type=T the value at P is an entry point by its methods of interface T
//	spawns func=P for=Q  the function at P starts after Q
//	none for=P           takes no time itself; what it returns (a channel, a timer) fires after P
//	none unless=N        takes no time unless the option N is given, with which it waits on its context
//	none func=P          takes no time itself; the function that it returns calls the one at P (sync.OnceFunc)
//
// The keys and flags are the fields of Row. README.md has an example of each.
package knowledge

import "time"

// Verb says what a function does with time.
type Verb string

const (
	Waits   Verb = "waits"
	Sleeps  Verb = "sleeps"
	Roots   Verb = "roots"
	Derives Verb = "derives"
	Drops   Verb = "drops"
	Binds   Verb = "binds"
	Bounds  Verb = "bounds"
	Carries Verb = "carries"
	Spawns  Verb = "spawns"
	Calls   Verb = "calls"
	Enters  Verb = "enters"
	Exits   Verb = "exits"
	None    Verb = "none"
)

// Place names a value of a call: a parameter, the receiver, or the options, and a selector on it.
type Place struct {
	Kind  PlaceKind
	Index int    // of the parameter, when Kind is Param
	Sel   string // "", "Context()", "ctx": what is taken from it
}

// PlaceKind says which value of a call a Place names.
type PlaceKind uint8

const (
	NoPlace PlaceKind = iota
	Param
	Recv
	Opts
)

// Row is what is known about one function.
type Row struct {
	Name string
	Verb Verb

	Ctx     Place         // ctx=PLACE: the context that ends the wait, or from which the result is derived
	Use     string        // use=NAME: the form that carries a context
	Fields  []string      // field=A,B: fields of the receiver (or of on), any of which bounds the call when set; A.B is field B of field A
	Within  Place         // within=PLACE: the argument that is a timeout
	Network Place         // network=PLACE: the argument that names a network; the address is the one after it
	Until   Place         // until=PLACE: the argument that is a deadline
	For     Place         // for=PLACE: how long it sleeps
	Func    Place         // func=PLACE: the function that is called, spawned or registered
	Result  int           // result=N: which result is meant (default 0)
	Default time.Duration // default=30s: the bound that the library itself applies when none is given
	Joined  string        // joined=NAME: the call that waits for what was spawned
	On      Place         // on=PLACE: the value that is bound, or waited on (NoPlace: the receiver)
	Also    []Place       // on=PLACE,PLACE…: those after the first
	Unless  string        // unless=NAME: a field, option, setter or maker under which the row does not hold
	Type    string        // type=NAME: enters: the type whose functions are entry points

	Meant    bool // meant: the wait is meant to last (Accept, Serve, Subscribe)
	IO       bool // io: conn I/O, ended by a deadline set on the receiver (or on)
	ByRecv   bool // recv: the wait ends by what the receiver was bound to when it was made
	Local    bool // local: waits for goroutines of this process (a group, a condition, a semaphore), not for the outside
	Life     bool // life: the context ends with a component or a signal, not with a request
	Never    bool // never: the context never ends by itself
	Retry    bool // retry: the function given is called again until it succeeds
	Once     bool // once: the function given is called for all callers together
	Lookup   bool // lookup: waits for the name of a host, which the system's resolver gives up by itself
	Prepares bool // prepares: readies a statement in a transaction; some drivers end that by the transaction's own context
	Process  bool // process: waits for a command of this machine
	Memory   bool // memory: the handle is used in memory only (httptest requests)
	Opens    bool // opens: the context given ends the opening alone; what is returned lives until it is closed

	File      string // where the row stands
	Line, Col int
}

// Limit is the argument that says how long, or until when; the zero Place where there is none.
func (r Row) Limit() Place {
	if r.Within.IsSet() {
		return r.Within
	}
	return r.Until
}
