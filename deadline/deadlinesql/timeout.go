// Package deadlinesql lets the database end a statement when the time of its context is up.
//
// A driver ends a statement by asking: it sends a cancellation, on a connection of its own, or closes the one at hand. Where that does
// not arrive, behind a pooler, a proxy or a full network, the server goes on working for nobody; MySQL's does so in any case,
// until it writes to the closed connection. A statement timeout needs no asking: the server is told beforehand how long the statement may
// take, min(cap, time left - reserve), and ends it by itself. The error comes back while there is time left to say so, and the
// connection stays usable, where a driver that gives up must throw it away.
//
// [Dialect.Connector] puts it under a whole sql.DB. [SetLocal] is for one transaction of PostgreSQL, and [StatementTimeout] the
// number for other databases, such as MongoDB's maxTimeMS.
package deadlinesql

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/doneby/doneby/deadline"
)

// longest is the most that PostgreSQL takes, in milliseconds of 31 bits: 24 days. Whoever has longer has this.
const longest = math.MaxInt32 * time.Millisecond

var errFraction = errors.New("a statement timeout of less than a millisecond would be none")

// StatementTimeout is how long a statement under ctx may take: what policy.Start gives it, rounded down to milliseconds. It is never 0,
// since that is no limit for PostgreSQL, MySQL and MongoDB alike.
//
// Where too little is left, less than a millisecond included, it is refused with a *deadline.Error, and nothing is to be sent; if ctx
// was cancelled, with context.Canceled. Without a deadline and without a Cap, bounded is false and there is no limit to set.
func StatementTimeout(ctx context.Context, policy deadline.Policy) (limit time.Duration, bounded bool, err error) {
	child, cancel, err := policy.Start(ctx)
	if err != nil {
		return 0, false, err
	}
	defer cancel()
	left, bounded := deadline.Remaining(child)
	if !bounded {
		return 0, false, nil
	}
	limit = min(left, longest).Truncate(time.Millisecond)
	if limit <= 0 {
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountBelowMinimum, Name: policy.Name, Label: "minimum", Time: left})
		return 0, false, &deadline.Error{Op: policy.Name, Reason: deadline.BelowMinimum, Remaining: left, Need: time.Millisecond, Last: errFraction}
	}
	return limit, true, nil
}
