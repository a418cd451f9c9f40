package ignores

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers/blindretry"
	"github.com/doneby/doneby/analyzers/ctxless"
	"github.com/doneby/doneby/analyzers/deafctx"
	"github.com/doneby/doneby/analyzers/detached"
	"github.com/doneby/doneby/analyzers/fixedtimeout"
	"github.com/doneby/doneby/analyzers/stalework"
	"github.com/doneby/doneby/analyzers/unbounded"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/loops"
	"github.com/doneby/doneby/passes/summaries"
)

// rules are all rules, in the order in which they speak; a test compares them with the folders.
var rules = []*analysis.Analyzer{
	blindretry.Analyzer,
	stalework.Analyzer,
	fixedtimeout.Analyzer,
	detached.Analyzer,
	ctxless.Analyzer,
	unbounded.Analyzer,
	deafctx.Analyzer,
}

// passes are all passes whose results are marked, in the order of their floors; a test compares them with the folders.
var passes = []*analysis.Analyzer{
	ir.Analyzer,
	durations.Analyzer,
	entrypoints.Analyzer,
	contexts.Analyzer,
	loops.Analyzer,
	summaries.Analyzer,
}
