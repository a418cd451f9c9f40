// Package analyzers lists the analyzers that doneby runs.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers/blindretry"
	"github.com/doneby/doneby/analyzers/ctxless"
	"github.com/doneby/doneby/analyzers/deafctx"
	"github.com/doneby/doneby/analyzers/detached"
	"github.com/doneby/doneby/analyzers/fixedtimeout"
	"github.com/doneby/doneby/analyzers/ignores"
	"github.com/doneby/doneby/analyzers/stalework"
	"github.com/doneby/doneby/analyzers/unbounded"
)

// All is every rule, and what reports ignores that hide nothing and packages that could not be analysed.
var All = []*analysis.Analyzer{
	blindretry.Analyzer,
	stalework.Analyzer,
	fixedtimeout.Analyzer,
	detached.Analyzer,
	ctxless.Analyzer,
	unbounded.Analyzer,
	deafctx.Analyzer,
	ignores.Analyzer,
}
