package rowtest

import (
	"time"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/summaries"
)

// promise is something that rows say about programs: which rows, the program, and the verdicts in it, as rule/kind.
type promise struct {
	says  string
	of    func(maker) bool
	write func(*scene) error
	want  func(maker) string
}

// always is said of every row: nothing is known of where the arguments come from, but that ctx is there.
var always = promise{"unknown arguments", all, plain, whatPlain}

// promises lists what the rows of each verb say besides.
var promises = map[knowledge.Verb][]promise{
	knowledge.Waits: {
		{"a root where ctx is in reach", byContext, underRoot, whatRoot},
		{"ctx given", byContext, underCtx, says("")},
		{"nothing to inherit", byNothing, alone, whatAlone},
		{"bound in a field", bySomeField, inField, says("fixedtimeout/call")},
		{"a bare connection where ctx is in reach", byConnAlone, bareInReach, whatConn("ctxless/call", "")},
		{"a bare connection", byConn, bareConn, whatConn("unbounded/conn", "unbounded/cleanup")},
		{"a connection with a deadline", byConn, boundConn, says("")},
		{"a bare connection as the other one", byConns, otherConn, says("unbounded/conn")},
	},
	knowledge.Sleeps:  {},
	knowledge.Roots:   {{"what it makes, where ctx is in reach", all, result, whatRoots}},
	knowledge.Drops:   {{"what it makes of ctx", byContext, resultOfCtx, whatDropped}},
	knowledge.Derives: {{"what it makes of a root", byContext, resultOfRoot, whatDerived}, {"what it makes of ctx", byContext, resultOfCtx, says("")}},
	knowledge.Binds: {
		{"what it makes of a root", byContext, resultOfRoot, whatBound},
		{"what it makes of ctx", byContext, resultOfCtx, says("")},
		{"what it makes of no context", byNoContext, result, whatUnbound},
		{"what it makes of a handle under a root", onHandle, handleOfRoot, whatBound},
		{"what it makes of a handle under ctx", onHandle, handleOfCtx, says("")},
		{"what it makes of a bare connection", onConn, resultOfConn, says("unbounded/conn")},
		{"what it makes of a connection with a deadline", onConn, resultOfBoundConn, says("")},
	},
	knowledge.Bounds: {
		{"a deadline set before the wait", setsDeadline, deadlineSet, says("")},
		{"a deadline cleared before the wait", setsDeadline, deadlineCleared, says("unbounded/conn")},
	},
	knowledge.Carries: {
		{"a parameter of the type", aType, typeInReach, whatReach},
		{"the context of the type", aType, typeGiven, whatCarried},
		{"the context that it returns", aFunction, result, whatCarried},
	},
	knowledge.Spawns: {{"a function that waits", all, runs, whatSpawned}},
	knowledge.Calls: {
		{"a function that waits", once, runs, whatGiven},
		{"a function that waits on the context given: a root", callsWithContext, runsUnderRoot, whatCalled},
		{"a function that waits on the context given: ctx", callsWithContext, runsUnderCtx, says("")},
	},
	knowledge.Enters: {{"a function that waits", all, handler, whatHandler}},
	knowledge.Exits:  {{"a wait behind it", all, behind, says("")}},
	knowledge.None:   {{"a function that waits, by what it returns", aCaller, runs, says("ctxless/call")}},
}

// Which rows.

func all(maker) bool         { return true }
func aType(m maker) bool     { return m.fn.obj == nil }
func aFunction(m maker) bool { return m.fn.obj != nil }

// byContext: it ends with a context that the call gives, in whatever way.
func byContext(m maker) bool { return m.row.Ctx.IsSet() || m.row.ByRecv }

func byNoContext(m maker) bool { return !byContext(m) && !m.row.On.IsSet() }

func byNothing(m maker) bool { return !byContext(m) && !m.row.IO && !m.row.Local }

func byConn(m maker) bool { return m.row.IO && !m.row.Ctx.IsSet() }

// byConnAlone: what its client says before has no other bound either.
func byConnAlone(m maker) bool { return byConn(m) && !bounded(m.row) }

func byConns(m maker) bool { return byConn(m) && len(m.row.Also) > 0 }

func aCaller(m maker) bool { return m.row.Func.IsSet() }

func bySomeField(m maker) bool { return byNothing(m) && len(m.row.Fields) > 0 && !bounded(m.row) }

func onConn(m maker) bool { return m.row.On.IsSet() && !m.row.Ctx.IsSet() && m.conn }

func onHandle(m maker) bool { return m.row.On.IsSet() && !m.row.Ctx.IsSet() && !m.conn }

func setsDeadline(m maker) bool { return m.row.Until.IsSet() && m.row.ByRecv && m.fn.recv != nil }

// once: what it is given is not called again until it succeeds: then the retry is the defect.
func once(m maker) bool { return !m.row.Retry }

func callsWithContext(m maker) bool { return m.row.Ctx.Kind == knowledge.Param }

// bounded reports whether the row says of the call itself how long it may take.
func bounded(row knowledge.Row) bool {
	return row.Within.IsSet() || row.Until.IsSet() || row.Default > 0
}

// What is to be said.

func says(verdict string) func(maker) string { return func(maker) string { return verdict } }

// whatPlain is the verdict on a call that is given nothing, where ctx is in reach.
func whatPlain(m maker) string {
	row := m.row
	retries := row.Verb == knowledge.Calls && row.Retry && row.Use != ""
	switch {
	case row.Name == "time.Sleep":
		return "deafwait/sleep" // as long as the function is told, beside a context
	case row.Verb != knowledge.Waits && !retries:
		return ""
	case row.Name == "(*sync.Cond).Wait":
		return "deafwait/cond"
	case row.Local && row.ImportPath() == "sync":
		return "deafwait/group" // of members unknown; the groups of other libraries say when a member has failed
	case row.Ctx.IsSet() && row.Ctx.Kind != knowledge.Opts, row.ByRecv, row.IO, row.Local && row.Use == "", row.Meant:
		return "" // it may end with what is given; goroutines of this process; meant to last
	case m.fn.obj != nil && summaries.EndsByName(m.fn.obj.Name()):
		return ""
	case row.Default > 0 && !row.Within.IsSet() && !row.Until.IsSet():
		return whatDefault(row)
	case bounded(row) && !retries:
		return "fixedtimeout/call"
	case row.Lookup:
		return "ctxless/lookup"
	}
	switch {
	case row.Process:
		return "ctxless/subprocess"
	case row.Prepares:
		return "ctxless/prepared"
	}
	return whatRun(m)
}

// whatDefault is the verdict on a call without a context that only the library's own timeout ends.
func whatDefault(row knowledge.Row) string {
	if row.Use != "" && row.Default >= 5*time.Second {
		return "ctxless/default"
	}
	return "fixedtimeout/default"
}

// whatRun is the verdict on the call of a function that goes on until what it is given succeeds, and of any other.
func whatRun(m maker) string {
	if m.row.Retry && (m.row.Use != "" || m.row.Verb == knowledge.Waits) {
		return "blindretry/call"
	}
	return "ctxless/call"
}

// whatGiven is the verdict on a function that is run once for the call, or once for all.
func whatGiven(m maker) string {
	if m.row.Name == "(*sync.Once).Do" {
		return "ctxless/shared"
	}
	return "ctxless/call"
}

// whatAlone is the verdict on the same call where there is nothing to inherit.
func whatAlone(m maker) string {
	row := m.row
	switch {
	case row.Meant, bounded(row), len(row.Fields) > 0, row.Unless != "" && (m.fn.recv != nil || row.On.IsSet()): // a client made out of sight may have the bound
		return ""
	case m.fn.obj.Name() == "Dial" && typeset.IsInterfaceMethod(m.fn.obj): // what is behind it may have the bound
		return ""
	case summaries.EndsByName(m.fn.obj.Name()):
		return "unbounded/cleanup"
	case row.Lookup:
		return "unbounded/lookup"
	case row.Process:
		return "unbounded/subprocess"
	}
	return "unbounded/call"
}

// whatRoot is the verdict on a call under a root, where ctx is in reach.
func whatRoot(m maker) string {
	switch row := m.row; {
	case summaries.EndsByName(m.fn.obj.Name()) && bounded(row), row.Memory:
		return ""
	case summaries.EndsByName(m.fn.obj.Name()) && !m.opened:
		return "unbounded/cleanup" // what it ends was opened under the root too, and that is no clean-up
	case row.Default > 0 && !row.Within.IsSet() && !row.Until.IsSet():
		return "detached/default"
	case bounded(row):
		return "fixedtimeout/root"
	case row.Lookup:
		return "detached/lookup"
	}
	return "detached/root"
}

// whatConn is the verdict on I/O on a connection without a deadline, and that on a clean-up's.
func whatConn(verdict, cleanup string) func(maker) string {
	return func(m maker) string {
		switch {
		case m.row.Meant, bounded(m.row):
			return ""
		case summaries.EndsByName(m.fn.obj.Name()):
			return cleanup
		}
		return verdict
	}
}

// whatDerived is the verdict on a query under what is derived from a root.
func whatDerived(m maker) string {
	switch {
	case bounded(m.row), len(m.row.Fields) > 0: // a value made out of sight may have the bound
		return "fixedtimeout/root"
	case m.row.Life:
		return "detached/component"
	case m.row.Never:
		return "detached/never"
	}
	return "detached/root"
}

// whatCalled is the verdict on a function that waits under a root, called through the row's.
func whatCalled(m maker) string {
	if len(m.row.Fields) > 0 {
		return "fixedtimeout/root" // a value made out of sight may have the bound
	}
	return "detached/root"
}

// whatDropped is the verdict on a query under what keeps the values of ctx only.
func whatDropped(m maker) string {
	if bounded(m.row) {
		return "" // a detach with a bound, which is spelled
	}
	return "detached/uncancelled"
}

func whatRoots(m maker) string { return whatDerived(m) }

func whatBound(m maker) string {
	switch row := m.row; {
	case row.Memory:
		return ""
	case row.Default > 0 && row.Ctx.Kind != knowledge.Opts: // and the library applies its bound besides
		return "detached/default"
	}
	return "detached/root"
}

// whatUnbound is the verdict on the use of a handle that was made without a context.
func whatUnbound(m maker) string {
	switch {
	case m.row.Memory:
		return ""
	case m.row.Default > 0:
		return whatDefault(m.row)
	}
	if m.row.Name == "os/exec.Command" {
		return "ctxless/subprocess"
	}
	return "ctxless/call"
}

// whatCarried is the verdict on a query under the context that a value brings.
func whatCarried(m maker) string {
	switch {
	case m.row.Life:
		return "unbounded/lifetime"
	case m.row.Never:
		return "detached/never"
	}
	return ""
}

// whatSpawned: who starts a function and waits for it waits for what the function waits for.
func whatSpawned(m maker) string {
	if m.row.Joined != "" {
		return "ctxless/call"
	}
	return ""
}
