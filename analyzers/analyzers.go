// Package analyzers lists the analyzers that doneby runs.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers/bareserver"
	"github.com/doneby/doneby/analyzers/blindretry"
	"github.com/doneby/doneby/analyzers/ctxless"
	"github.com/doneby/doneby/analyzers/deafctx"
	"github.com/doneby/doneby/analyzers/deafwait"
	"github.com/doneby/doneby/analyzers/detached"
	"github.com/doneby/doneby/analyzers/fixedtimeout"
	"github.com/doneby/doneby/analyzers/ignores"
	"github.com/doneby/doneby/analyzers/lostdeadline"
	"github.com/doneby/doneby/analyzers/orphan"
	"github.com/doneby/doneby/analyzers/overbudget"
	"github.com/doneby/doneby/analyzers/stalework"
	"github.com/doneby/doneby/analyzers/unbounded"
	"github.com/doneby/doneby/analyzers/wallclock"
)

// All is every rule, and what reports ignores that hide nothing and packages that could not be analysed.
var All = []*analysis.Analyzer{
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
	ignores.Analyzer,
}
