// Package kinds lists every kind of finding, one line a kind, and the order in which rules speak when several could name
// the same defect. It is data: which kinds a user sees is decided by package policy.
package kinds

// Tier says whether a kind is on by default.
type Tier string

const (
	Gate  Tier = "gate"  // on by default: its precision is measured on real code (docs/precision)
	Audit Tier = "audit" // off until asked for, with -audit or by name
)

// Kind is one kind of finding. Its name is the fragment of the diagnostic's URL.
type Kind struct {
	Rule  string // the rule, one of Rules
	Name  string // the kind within the rule
	Aim   Tier   // where it is to stand; until a sheet proves it, a kind that aims at the gate is in audit
	Since string // the version that first had it
	Why   string // one sentence: what it names
	Sheet string // the sheet in docs/precision that proves its precision; "" when none does yet
}

// String returns the name users type: rule/kind.
func (k Kind) String() string { return k.Rule + "/" + k.Name }

// Rules names the thirteen rules in the order in which they speak: a defect that several could name belongs to the first.
// lostdeadline and wallclock name no wait and speak beside any of them.
var Rules = []string{
	"bareserver", "blindretry", "stalework", "overbudget", "fixedtimeout", "detached", "ctxless", "unbounded",
	"orphan", "deafwait", "deafctx", "lostdeadline", "wallclock",
}

// All lists the kinds that are built, in the order of Rules.
var All = []Kind{
	{"bareserver", "header", Gate, "0.1", "an http.Server that waits for ever for a client to finish its header", ""},
	{"bareserver", "debug", Audit, "0.1", "the same, of a server for metrics, profiles or probes, or that only this machine reaches by default", ""},
	{"bareserver", "conn", Gate, "0.1", "an accepted connection that is read without a deadline", ""},
	{"bareserver", "stream", Gate, "0.1", "an accepted QUIC stream that is read without a deadline", ""},
	{"bareserver", "handshake", Gate, "0.1", "a server's TLS or SSH handshake on a connection without a deadline", ""},
	{"bareserver", "example", Audit, "0.2", "the same in an example", ""},
	{"bareserver", "waived", Audit, "0.2", "a server on a line that is exempt from gosec's word on it", ""},
	{"bareserver", "idle", Audit, "0.1", "an http.Server with a header bound that keeps idle connections for ever", ""},
	{"bareserver", "keepalive", Audit, "0.1", "a gRPC server that keeps dead or old connections", ""},
	{"bareserver", "budgeted", Gate, "0.2", "an http.Server whose requests never get a deadline, although a budget is declared for one of its handlers", ""},
	{"bareserver", "nodeadline", Audit, "0.1", "an http.Server whose requests never get a deadline", ""},
	{"blindretry", "pause", Gate, "0.2", "a pause between the rounds of a loop that the context in reach does not end", ""},
	{"blindretry", "long", Gate, "0.2", "a pause of 5s or more in a loop that ends with the context in reach at its next look or attempt", ""},
	{"blindretry", "call", Gate, "0.2", "a call of a function that retries or polls, and is not given the context in reach", ""},
	{"blindretry", "again", Gate, "0.2", "a loop that begins again when an attempt fails because the context in reach is over", ""},
	{"blindretry", "clock", Gate, "0.2", "a loop that makes attempts until an instant of its own, and does not look at the context in reach", ""},
	{"blindretry", "attempt", Gate, "0.2", "the timeout of an attempt is derived from that of the attempt before", ""},
	{"blindretry", "example", Audit, "0.2", "a loop in an example that does not look at the context in reach", ""},
	{"blindretry", "late", Audit, "0.2", "a shorter pause, or one whose length is not known, in a loop that ends with the context in reach at its next look or attempt, or soon by itself", ""},
	{"blindretry", "short", Audit, "0.2", "a pause of less than the threshold in a loop that looks at the context in each round", ""},
	{"blindretry", "cancel", Audit, "0.2", "the cancel of each attempt is deferred to the end of the function", ""},
	{"blindretry", "fit", Audit, "0.2", "a pause after which the context around the loop surely has less left than the next attempt may take", ""},
	{"stalework", "item", Gate, "0.2", "work that carries a deadline is taken from a queue and begun without a look at it", ""},
	{"stalework", "requeue", Gate, "0.2", "work made for a context goes back into a queue when it fails, and nothing says until when", ""},
	{"stalework", "ended", Gate, "0.2", "a context that is certainly over is given to what waits on it", ""},
	{"stalework", "spelled", Audit, "0.2", "a context that is certainly over is given to what waits on it, and a comment says why", ""},
	{"stalework", "fallback", Audit, "0.2", "a context on which a limit was set here is used again when an error says that time is up", ""},
	{"stalework", "example", Audit, "0.2", "stale work in an example", ""},
	{"overbudget", "loop", Gate, "0.1", "a timeout around a loop of calls that cap themselves with as much", ""},
	{"overbudget", "attempts", Gate, "0.1", "a timeout around attempts that do not fit into it, or of which the first may take all", ""},
	{"overbudget", "pages", Gate, "0.1", "a timeout around pages of which each reply asks for another", ""},
	{"overbudget", "shadow", Gate, "0.1", "a timeout for one call that covers another by shadowing the outer context", ""},
	{"overbudget", "write", Gate, "0.1", "a server's WriteTimeout that ends before its handler does", ""},
	{"overbudget", "stream", Gate, "0.2", "a server's WriteTimeout that ends an answer which goes on until its client leaves", ""},
	{"overbudget", "never", Gate, "0.2", "a timeout in a loop that begins anew with each tick of a ticker beside it", ""},
	{"overbudget", "dialer", Audit, "0.1", "a client's timeout that is not above the timeout of its dialer", ""},
	{"overbudget", "grace", Gate, "0.1", "steps of a shutdown that take longer than it allows", ""},
	{"overbudget", "declared", Gate, "0.2", "a function whose own timeouts do not fit into the budget that is declared for it", ""},
	{"fixedtimeout", "root", Gate, "0.1", "a timeout on a context made on the spot, where an inherited one is in reach", ""},
	{"fixedtimeout", "call", Gate, "0.1", "a call that only its own timeout ends, where a context is in reach", ""},
	{"fixedtimeout", "embedded", Audit, "0.2", "a statement with a fixed timeout to a database or store in this process, where a context is in reach", ""},
	{"fixedtimeout", "example", Audit, "0.2", "a fixed timeout in an example", ""},
	{"fixedtimeout", "command", Audit, "0.2", "a fixed timeout in the code of a command at a terminal, where its context is in reach", ""},
	{"fixedtimeout", "spelled", Audit, "0.2", "a timeout on a context made on the spot, where a comment says that it is meant", ""},
	{"fixedtimeout", "waived", Audit, "0.2", "a fixed timeout on a line that is exempt from noctx or contextcheck", ""},
	{"fixedtimeout", "dial", Audit, "0.2", "a fixed timeout in a dial function of an http.Transport, whose context has no deadline", ""},
	{"fixedtimeout", "helper", Audit, "0.2", "a call of a function that bounds itself and takes no context, where one is in reach", ""},
	{"fixedtimeout", "conn", Audit, "0.1", "a connection's deadline that ignores the inherited one, or is set once for its life", ""},
	{"fixedtimeout", "timer", Audit, "0.1", "a wait that only a timer ends, where a context is in reach", ""},
	{"fixedtimeout", "default", Audit, "0.1", "a call through an API without a context that only the library's default timeout ends, or one of less than 5s, where a context is in reach", ""},
	{"fixedtimeout", "short", Audit, "0.1", "a fixed timeout of less than a second, where a context is in reach", ""},
	{"fixedtimeout", "test", Audit, "0.1", "the same in a package that is there for tests", ""},
	{"detached", "root", Gate, "0.1", "a context made on the spot ends a wait, where an inherited one is in reach", ""},
	{"detached", "uncancelled", Gate, "0.1", "WithoutCancel without a bound of its own ends a wait", ""},
	{"detached", "never", Gate, "0.1", "a context that never ends, such as a framework's, ends a wait", ""},
	{"detached", "default", Gate, "0.2", "a context made on the spot where one is in reach, so that only the library's default timeout ends a call", ""},
	{"detached", "embedded", Audit, "0.2", "a context made on the spot for a statement to a database or store in this process", ""},
	{"detached", "spelled", Audit, "0.2", "a context without the deadline in reach, where a name or a comment says that it is meant", ""},
	{"detached", "example", Audit, "0.2", "a context made on the spot in an example", ""},
	{"detached", "command", Audit, "0.2", "a context made on the spot in the code of a command at a terminal", ""},
	{"detached", "waived", Audit, "0.2", "a context made on the spot, on a line that is exempt from contextcheck", ""},
	{"detached", "lookup", Audit, "0.2", "a context made on the spot for a name lookup; the system's resolver ends it", ""},
	{"detached", "shared", Audit, "0.2", "a context made on the spot for what is loaded once and kept for all who come later", ""},
	{"detached", "component", Audit, "0.1", "a root in a method of a component that keeps a life of its own", ""},
	{"detached", "test", Audit, "0.1", "the same in a package that is there for tests", ""},
	{"ctxless", "request", Gate, "0.2", "a wait through an API that cannot carry the context in reach, which is a request's or has a deadline in sight", ""},
	{"ctxless", "call", Gate, "0.1", "a wait through an API that cannot carry the context in reach, which nobody in sight ends", ""},
	{"ctxless", "shared", Audit, "0.2", "a wait through an API that cannot carry the context in reach, for what is loaded once and kept for all who come later", ""},
	{"ctxless", "default", Gate, "0.2", "a call without the context in reach, which its API takes, that only the library's default timeout of 5s or more ends", ""},
	{"ctxless", "prepared", Audit, "0.2", "a statement prepared in a transaction, without the context in reach; some drivers end it by the context of the transaction", ""},
	{"ctxless", "embedded", Audit, "0.2", "a statement to a database or store in this process, without the context in reach", ""},
	{"ctxless", "example", Audit, "0.2", "a wait in an example that cannot carry the context in reach", ""},
	{"ctxless", "command", Audit, "0.2", "a wait that cannot carry the context of a command at a terminal", ""},
	{"ctxless", "startup", Audit, "0.2", "a wait in what runs before anything is served, without the context in reach", ""},
	{"ctxless", "subprocess", Audit, "0.2", "a command of this machine that cannot carry the context in reach; most end by themselves", ""},
	{"ctxless", "waived", Audit, "0.2", "a wait that cannot carry the context in reach, on a line that is exempt from noctx or contextcheck", ""},
	{"ctxless", "lookup", Audit, "0.1", "a name lookup that cannot carry the context in reach; the system's resolver ends it", ""},
	{"ctxless", "test", Audit, "0.1", "the same in a package that is there for tests", ""},
	{"unbounded", "root", Gate, "0.1", "a context that nothing ends reaches a wait, and there is nothing to inherit", ""},
	{"unbounded", "call", Gate, "0.1", "a wait through an API that carries no context and has no bound", "sheet-7"},
	{"unbounded", "lifetime", Gate, "0.1", "a component's own context, which ends only with the component, is all that ends a call", ""},
	{"unbounded", "conn", Gate, "0.1", "connection I/O without a deadline", ""},
	{"unbounded", "assumed", Audit, "0.1", "a root reaches an interface's method, a function value or a library that the tables do not know, which is only taken to wait", ""},
	{"unbounded", "startup", Audit, "0.2", "an unbounded wait in what runs before anything is served: a migration, a recovery", ""},
	{"unbounded", "redial", Audit, "0.2", "a TCP connect that is tried again and again, or in a goroutine that nobody waits for; the system ends each attempt", ""},
	{"unbounded", "waived", Audit, "0.2", "an unbounded wait on a line that is exempt from noctx", ""},
	{"unbounded", "embedded", Audit, "0.2", "a statement to a database or store in this process", ""},
	{"unbounded", "cleanup", Audit, "0.1", "a clean-up that nothing ends, when what could be inherited is over", ""},
	{"unbounded", "lookup", Audit, "0.1", "a name lookup that only the system's resolver ends", ""},
	{"unbounded", "subprocess", Audit, "0.1", "a command of this machine that nothing ends", ""},
	{"unbounded", "oneshot", Audit, "0.1", "an unbounded wait in one-shot code or a test-helper package", ""},
	{"orphan", "wait", Gate, "0.1", "a goroutine that nobody waits for waits itself, and hears neither a context nor a close", ""},
	{"orphan", "buffered", Audit, "0.2", "the same, where it waits for room in a buffer", ""},
	{"orphan", "foreign", Audit, "0.2", "the same, where it waits on a channel that another package gives", ""},
	{"orphan", "pipe", Gate, "0.2", "a goroutine that writes to a pipe whose reading end its starter may leave unread", ""},
	{"orphan", "open", Gate, "0.2", "a goroutine that goes through a channel which its starter may leave open when it returns", ""},
	{"orphan", "gone", Gate, "0.2", "a goroutine of each call that sends to a loop of the component, which returns when a context or a stop is done", ""},
	{"orphan", "unheard", Gate, "0.2", "a goroutine that sends to its starter, which a timer may have sent away, which may leave its loop before, or which receives from fewer than it has started", ""},
	{"orphan", "subscription", Gate, "0.2", "a goroutine of each call that waits for what a subscription brings, which the context of the call does not end and nobody closes", ""},
	{"orphan", "unclosed", Audit, "0.2", "the same, where it is not known what the context ends", ""},
	{"orphan", "outlives", Audit, "0.2", "work for a request that nobody waits for, and that the end of the request's own context cuts short", ""},
	{"orphan", "lifetime", Audit, "0.2", "a goroutine of each call, or of each round, that only the end of a component's life ends", ""},
	{"orphan", "example", Audit, "0.2", "a goroutine in an example that nobody waits for", ""},
	{"deafwait", "send", Gate, "0.1", "a send whose receiver may be late or gone, where a context is in reach", ""},
	{"deafwait", "example", Audit, "0.2", "a wait in an example that does not listen to the context in reach", ""},
	{"deafwait", "buffered", Audit, "0.2", "a send to a channel with a buffer that may be full, where a context is in reach", ""},
	{"deafwait", "foreign", Audit, "0.2", "a send to or receive from a channel that another package gives, where a context is in reach", ""},
	{"deafwait", "served", Audit, "0.2", "a send to a loop of the same package that is never left, and may be late", ""},
	{"deafwait", "receive", Gate, "0.1", "a receive, or a range, whose sender may be late or gone, where a context is in reach", ""},
	{"deafwait", "select", Gate, "0.1", "a select without a case for its end, where a context is in reach", ""},
	{"deafwait", "group", Gate, "0.1", "the Wait of a group whose members may be late, where a context is in reach", ""},
	{"deafwait", "asked", Gate, "0.2", "the Wait of a condition variable whose loop asks the context, which nothing signals when it is done", ""},
	{"deafwait", "sleep", Gate, "0.1", "a sleep of 100 ms or more that the context in reach cannot cut short", ""},
	{"deafwait", "call", Gate, "0.1", "a call of a function of ours that waits for another goroutine, where a context is in reach", ""},
	{"deafwait", "abroad", Audit, "0.2", "a call of a function of another package of ours that waits for another goroutine", ""},
	{"deafwait", "cond", Audit, "0.2", "the Wait of a condition variable that the end of the context in reach does not signal", ""},
	{"deafwait", "stop", Audit, "0.2", "a channel that a component closes when it ends, and that nobody receives from, or that one of its waits does not hear", ""},
	{"deafctx", "poll", Gate, "0.2", "a loop asks the context between reads, and each read waits without hearing it", ""},
	{"deafctx", "once", Gate, "0.2", "a context is only asked once, before a read that waits without hearing it", ""},
	{"deafctx", "children", Gate, "0.2", "a shell is killed when its context is done, and the wait for it goes on until its children let go of its output", ""},
	{"deafctx", "swallow", Gate, "0.2", "a loop calls what drops the error of the context, and goes on for ever", ""},
	{"deafctx", "spin", Gate, "0.2", "a loop goes round again at once when the context is done, for ever", ""},
	{"deafctx", "unnamed", Gate, "0.2", "a context parameter without a name, of a function that pauses", ""},
	{"deafctx", "example", Audit, "0.2", "a context in an example that is not heeded", ""},
	{"deafctx", "files", Audit, "0.2", "a loop over files in which no round looks at the context in reach", ""},
	{"deafctx", "unused", Audit, "0.2", "a loop of calls that may fail, in a function that never looks at the context it is handed", ""},
	{"deafctx", "aside", Audit, "0.2", "a context that only a logger or a span hears of, while the request beside it is sent without", ""},
	{"lostdeadline", "adopted", Gate, "0.2", "a deadline that is lost between machines, in a package that imports the runtime package", ""},
	{"lostdeadline", "request", Audit, "0.2", "a request that leaves the deadline of its context behind, where others carry it", ""},
	{"lostdeadline", "message", Audit, "0.2", "a message that has a field for its deadline and is sent without one, where a context is in reach", ""},
	{"lostdeadline", "constant", Audit, "0.2", "a deadline on the wire in which the context in reach has no part", ""},
	{"lostdeadline", "unread", Audit, "0.2", "work for a message that says until when it is of use, which nobody reads", ""},
	{"lostdeadline", "unapplied", Audit, "0.2", "a deadline from the wire that is read and ends nothing", ""},
	{"lostdeadline", "instant", Audit, "0.2", "an instant of one machine's clock that is a deadline on another, as it is", ""},
	{"wallclock", "deadline", Gate, "0.1", "a deadline from a reading of the clock that lost its monotonic part", ""},
	{"wallclock", "reading", Audit, "0.1", "two readings set against each other, of which one lost its monotonic part, and something depends on it", ""},
	{"wallclock", "measure", Audit, "0.2", "a duration that is only measured, from readings without their monotonic part", ""},
}

// Known reports whether name is a rule, one of the thirteen, built or not.
func Known(name string) bool {
	for _, r := range Rules {
		if r == name {
			return true
		}
	}
	return false
}

// Built reports whether any kind of the rule is built.
func Built(rule string) bool {
	for _, k := range All {
		if k.Rule == rule {
			return true
		}
	}
	return false
}

// Tier returns where the kind stands: at the gate only when it aims there and a sheet proves its precision.
func (k Kind) Tier() Tier {
	if k.Aim == Gate && k.Sheet != "" {
		return Gate
	}
	return Audit
}

// Lookup returns the kind with that rule and name.
func Lookup(rule, name string) (Kind, bool) {
	for _, k := range All {
		if k.Rule == rule && k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}
