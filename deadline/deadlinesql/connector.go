package deadlinesql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/doneby/doneby/deadline"
)

var errDialect = errors.New("deadlinesql: the dialect is none of Postgres, MySQL and MariaDB")

// Connector is inner, of which each statement is limited by the server to what its context has left under policy:
//
//	db := sql.OpenDB(deadlinesql.Postgres.Connector(inner, policy))
//
// The policy's Reserve is for the round trip that sets the limit and for the answer's way back: with none, the driver gives up before
// the server does, and throws the connection away. A statement whose context has too little left is refused and not sent; one without a deadline has the limit
// that its session began with, which is also the most that any has.
//
// An error that comes when the limit has passed is a *deadline.Error that is Expired, with the server's own as Last. Rows are the
// driver's, since what rows can do grows with Go: errors of those that were still on their way, from Rows.Err, are the server's own.
//
// It costs a round trip before each statement that has a deadline, and one before the first that has none after one that had. What a
// program sets by hand is overwritten. The limit is one of the session, but for transactions of PostgreSQL: a pooler that lends
// connections for less than a session is no place for it; see [SetLocal].
//
// The driver's own connection is beneath that of sql.Conn.Raw, by a method Unwrap() driver.Conn.
func (d Dialect) Connector(inner driver.Connector, policy deadline.Policy) driver.Connector {
	return &connector{inner, d, policy}
}

type connector struct {
	driver.Connector
	dialect Dialect
	policy  deadline.Policy
}

// Connect opens a connection, and asks which limit its session begins with.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if !c.dialect.valid() {
		return nil, errDialect
	}
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	opened := &conn{Conn: inner, setting: settings[c.dialect], policy: c.policy}
	if err := opened.begin(ctx); err != nil {
		_ = inner.Close() // it cannot be used, and why is said
		return nil, fmt.Errorf("deadlinesql: %v: %w", c.dialect, err)
	}
	return opened, nil
}

// Close is for sql.DB.Close.
func (c *connector) Close() error {
	if closer, ok := c.Connector.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

var errOldDriver = errors.New("the driver runs no statements under a context")

// begin reads the limit that the session begins with.
func (c *conn) begin(ctx context.Context) error {
	var queries bool
	c.execer, _ = c.Conn.(driver.ExecerContext)
	c.queryer, queries = c.Conn.(driver.QueryerContext)
	if c.execer == nil || !queries {
		return errOldDriver
	}
	rows, err := c.queryer.QueryContext(ctx, c.setting.read, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	value := make([]driver.Value, 1)
	if err := rows.Next(value); err != nil {
		return err
	}
	c.base, err = c.setting.parse(value[0])
	return err
}
