package deadlinesql

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/doneby/doneby/deadline"
)

// A conn is a connection whose server knows how long each statement may take.
//
// Whatever runs next is preceded by a setting of its own, so that no statement runs under the limit of one before, whoever had the
// connection. In a transaction of PostgreSQL the setting is local to it, and what a rollback brings back is what there was before.
type conn struct {
	driver.Conn
	execer  driver.ExecerContext
	queryer driver.QueryerContext
	setting setting
	policy  deadline.Policy
	base    time.Duration // the limit that the session began with; 0 is none

	inTx    bool
	session bool // the session's limit may be another than base
	local   bool // the transaction's may be
}

// Unwrap is the driver's own connection, for sql.Conn.Raw.
func (c *conn) Unwrap() driver.Conn { return c.Conn }

// arm tells the server how long the next statement may take, and returns that; 0 is no limit.
func (c *conn) arm(ctx context.Context) (time.Duration, error) {
	limit, bounded, err := StatementTimeout(ctx, c.policy)
	if err != nil {
		return 0, err
	}
	if !bounded || c.base > 0 && c.base < limit {
		return c.base, c.disarm(ctx)
	}
	return limit, c.set(ctx, limit)
}

// disarm goes back to the limit that the session began with, if there may be another.
func (c *conn) disarm(ctx context.Context) error {
	if c.inTx && c.setting.local != "" {
		if !c.local {
			return nil // BeginTx has seen to the session's
		}
		return c.set(ctx, c.base) // and it is still not known to be base: a savepoint may bring back what was before
	}
	if !c.session {
		return nil
	}
	err := c.set(ctx, c.base)
	c.session = err != nil
	return err
}

// set sets the limit. If it fails, nobody knows whether it was.
func (c *conn) set(ctx context.Context, limit time.Duration) error {
	text := c.setting.session
	if c.inTx && c.setting.local != "" {
		text, c.local = c.setting.local, true
	} else {
		c.session = true
	}
	_, err := c.execer.ExecContext(ctx, text+c.setting.value(limit), nil)
	return err
}

// explain says of an error that came limit or more after began that the time was up. What database/sql asks for by name stays.
func (c *conn) explain(ctx context.Context, began time.Time, limit time.Duration, err error) error {
	took := time.Since(began)
	if err == nil || limit == 0 || took < limit || err == driver.ErrSkip || errors.Is(err, driver.ErrBadConn) || ctx.Err() == context.Canceled {
		return err
	}
	left, bounded := deadline.Remaining(ctx)
	whole := bounded && left <= c.policy.Reserve+time.Millisecond // the limit is in milliseconds
	return &deadline.Error{Op: c.policy.Name, Reason: deadline.Expired, Remaining: left, Over: took - limit, Whole: whole, Last: err}
}

// ExecContext runs a statement.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	limit, err := c.arm(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	result, err := c.execer.ExecContext(ctx, query, args)
	return result, c.explain(ctx, began, limit, err)
}

// QueryContext runs a query.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	limit, err := c.arm(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	rows, err := c.queryer.QueryContext(ctx, query, args)
	return rows, c.explain(ctx, began, limit, err)
}

// BeginTx begins a transaction, under the limit that the session began with: one that a statement left behind would be for the
// commit too. What the statements may take is for each of them.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if _, _, err := StatementTimeout(ctx, c.policy); err != nil {
		return nil, err
	}
	if err := c.disarm(ctx); err != nil {
		return nil, err
	}
	beginner, ok := c.Conn.(driver.ConnBeginTx)
	if !ok {
		return nil, errOldDriver
	}
	inner, err := beginner.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	c.inTx, c.local = true, false
	return &tx{inner, c}, nil
}

// A tx takes its settings with it.
type tx struct {
	driver.Tx
	conn *conn
}

// Commit commits, within what the last statement had.
func (t *tx) Commit() error { t.conn.inTx = false; return t.Tx.Commit() }

// Rollback rolls back.
func (t *tx) Rollback() error { t.conn.inTx = false; return t.Tx.Rollback() }

// Ping asks whether the server is there.
func (c *conn) Ping(ctx context.Context) error {
	if err := c.disarm(ctx); err != nil {
		return driver.ErrBadConn
	}
	if pinger, ok := c.Conn.(driver.Pinger); ok {
		return pinger.Ping(ctx)
	}
	return nil
}

// ResetSession is for the driver's own state; the limit is set anew in any case.
func (c *conn) ResetSession(ctx context.Context) error {
	if resetter, ok := c.Conn.(driver.SessionResetter); ok {
		return resetter.ResetSession(ctx)
	}
	return nil
}

// IsValid reports whether the connection may go back to its pool.
func (c *conn) IsValid() bool {
	validator, ok := c.Conn.(driver.Validator)
	return !ok || validator.IsValid()
}

// CheckNamedValue lets the driver convert arguments in its own way.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}
