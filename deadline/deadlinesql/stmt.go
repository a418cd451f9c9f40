package deadlinesql

import (
	"context"
	"database/sql/driver"
	"time"
)

// PrepareContext prepares a statement, under a limit like any other.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	preparer, ok := c.Conn.(driver.ConnPrepareContext)
	if !ok {
		return nil, errOldDriver
	}
	limit, err := c.arm(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	inner, err := preparer.PrepareContext(ctx, query)
	if err != nil {
		return nil, c.explain(ctx, began, limit, err)
	}
	s := stmt{Stmt: inner, conn: c}
	if converter, ok := inner.(driver.ColumnConverter); ok {
		return convertingStmt{s, converter}, nil
	}
	return s, nil
}

// Prepare is PrepareContext for those who have no context.
func (c *conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// A stmt is a prepared statement, limited each time that it is run.
type stmt struct {
	driver.Stmt
	conn *conn
}

// ExecContext runs the statement.
func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	execer, ok := s.Stmt.(driver.StmtExecContext)
	if !ok {
		return nil, errOldDriver
	}
	limit, err := s.conn.arm(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	result, err := execer.ExecContext(ctx, args)
	return result, s.conn.explain(ctx, began, limit, err)
}

// QueryContext runs the query.
func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	queryer, ok := s.Stmt.(driver.StmtQueryContext)
	if !ok {
		return nil, errOldDriver
	}
	limit, err := s.conn.arm(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	rows, err := queryer.QueryContext(ctx, args)
	return rows, s.conn.explain(ctx, began, limit, err)
}

// CheckNamedValue lets the driver convert arguments in its own way; database/sql asks the statement before the connection.
func (s stmt) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := s.Stmt.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return s.conn.CheckNamedValue(v)
}

// A convertingStmt is one whose driver converts arguments by column. Those whose driver does not must not say so: database/sql
// would then convert nothing at all.
type convertingStmt struct {
	stmt
	driver.ColumnConverter
}
