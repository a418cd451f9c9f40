// Package bareserver reports servers that wait for ever for a client.
package bareserver

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/accepts"
	"github.com/doneby/doneby/passes/budgets"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/servers"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "bareserver",
	Doc:        "report servers that wait for ever for a client\n\nAn http.Server without a header bound, a connection that is accepted and read without a deadline: each client that stops in the middle keeps a goroutine and a connection.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/bareserver",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, entrypoints.Analyzer, summaries.Analyzer, servers.Analyzer, accepts.Analyzer, budgets.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	if entrypoints.Of(pass).TestHelper() {
		return nil // its clients are tests
	}
	for _, s := range servers.Of(pass).Served() {
		check(pass, s)
	}
	read := map[token.Pos]bool{}
	for _, b := range accepts.Of(pass).Bare() {
		if entrypoints.Of(pass).CommandLine() || b.Read.IsValid() && read[b.Read] {
			continue // a command talks to what it started itself; a read of two listeners' connections is one defect
		}
		read[b.Read] = true
		checkConn(pass, b)
	}
	for _, call := range servers.Of(pass).Lasting() {
		pos, end := summaries.Of(pass).Range(summaries.Verdict{Pos: call.Common().Pos()})
		report(pass, pos, end, "keepalive", "grpc.NewServer has no keepalive and keeps connections of clients that are gone")
	}
	return nil
}

// check reports an http.Server that has no bound on the header; or whose requests never get a deadline, although one of its package's
// handlers has a declared budget, which nothing then holds it to; or that has no bound on idle connections; or whose requests never get
// a deadline and none is declared.
func check(pass *analysis.Pass, s servers.Server) {
	switch {
	case !s.Has.HasHeader() && entrypoints.Of(pass).Example():
		report(pass, s.Pos, s.End, "example", s.Name+" has no "+s.Lacks)
	case !s.Has.HasHeader() && s.Debug:
		report(pass, s.Pos, s.End, "debug", s.Name+" for metrics, probes or this machine has no "+s.Lacks)
	case !s.Has.HasHeader():
		report(pass, s.Pos, s.End, "header", s.Name+" has no "+s.Lacks)
	case s.Endless && !s.Debug && budgets.Of(pass).Tightest() != nil:
		h := budgets.Of(pass).Tightest()
		report(pass, s.Pos, s.End, "budgeted", "requests of "+s.Name+" never get a deadline and "+h.Name+" has a budget of "+durations.Text(h.Budget))
	case s.Debug:
		// its clients are few: an idle connection of each does no harm
	case !s.Has.HasIdle():
		report(pass, s.Pos, s.End, "idle", s.Name+" has no IdleTimeout")
	case s.Endless:
		report(pass, s.Pos, s.End, "nodeadline", "requests of "+s.Name+" never get a deadline")
	}
}

// checkConn reports connections that are accepted and read without a deadline, where they are read; and handshakes without one.
func checkConn(pass *analysis.Pass, b accepts.Bare) {
	kind, at, message := "conn", b.Read, b.Reader+" has no deadline on a connection of "+b.Name
	switch {
	case b.Shakes:
		kind, at, message = "handshake", b.Call.Common().Pos(), b.Name+" has no deadline for the client's part of the handshake"
	case b.Stream:
		kind, message = "stream", b.Reader+" has no deadline on a stream of "+b.Name
	}
	sums := summaries.Of(pass)
	if spoken(sums, b, kind) {
		return // the I/O itself is reported: one defect, one finding
	}
	pos, end := sums.Range(summaries.Verdict{Pos: at})
	d := analysis.Diagnostic{Pos: pos, End: end, URL: pass.Analyzer.URL + "#" + kind, Message: message}
	if !b.Shakes {
		d.Related = []analysis.RelatedInformation{{Pos: b.Call.Common().Pos(), Message: "accepts it"}}
	}
	pass.Report(d)
}

// spoken reports whether unbounded speaks of the I/O on the same connections. It comes first while this rule's kind is in audit.
func spoken(sums *summaries.Result, b accepts.Bare, kind string) bool {
	if k, ok := kinds.Lookup("bareserver", kind); ok && k.Tier() == kinds.Gate {
		return false
	}
	for _, v := range sums.Verdicts("unbounded") {
		if v.Conn && b.In[v.In] || v.Pos == b.Call.Common().Pos() {
			return true
		}
	}
	return false
}

func report(pass *analysis.Pass, pos, end token.Pos, kind, message string) {
	pass.Report(analysis.Diagnostic{Pos: pos, End: end, URL: pass.Analyzer.URL + "#" + kind, Message: message})
}
