package ignores

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers/bareserver"
	"github.com/doneby/doneby/analyzers/blindretry"
	"github.com/doneby/doneby/analyzers/ctxless"
	"github.com/doneby/doneby/analyzers/deafctx"
	"github.com/doneby/doneby/analyzers/deafwait"
	"github.com/doneby/doneby/analyzers/detached"
	"github.com/doneby/doneby/analyzers/fixedtimeout"
	"github.com/doneby/doneby/analyzers/lostdeadline"
	"github.com/doneby/doneby/analyzers/orphan"
	"github.com/doneby/doneby/analyzers/overbudget"
	"github.com/doneby/doneby/analyzers/stalework"
	"github.com/doneby/doneby/analyzers/unbounded"
	"github.com/doneby/doneby/analyzers/wallclock"
	"github.com/doneby/doneby/passes/accepts"
	"github.com/doneby/doneby/passes/budgets"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/clocks"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/loops"
	"github.com/doneby/doneby/passes/servers"
	"github.com/doneby/doneby/passes/summaries"
	"github.com/doneby/doneby/passes/wires"
)

// rules are all rules, in the order in which they speak; a test compares them with the folders.
var rules = []*analysis.Analyzer{
	bareserver.Analyzer,
	blindretry.Analyzer,
	stalework.Analyzer,
	overbudget.Analyzer,
	fixedtimeout.Analyzer,
	detached.Analyzer,
	ctxless.Analyzer,
	unbounded.Analyzer,
	orphan.Analyzer,
	deafwait.Analyzer,
	deafctx.Analyzer,
	lostdeadline.Analyzer,
	wallclock.Analyzer,
}

// passes are all passes whose results are marked, in the order of their floors; a test compares them with the folders.
var passes = []*analysis.Analyzer{
	ir.Analyzer,
	durations.Analyzer,
	entrypoints.Analyzer,
	contexts.Analyzer,
	channels.Analyzer,
	loops.Analyzer,
	summaries.Analyzer,
	servers.Analyzer,
	accepts.Analyzer,
	clocks.Analyzer,
	budgets.Analyzer,
	wires.Analyzer,
}
