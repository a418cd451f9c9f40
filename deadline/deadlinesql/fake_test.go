package deadlinesql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/deadline"
)

// A fake is a driver, its connector and its one connection: it notes what is sent, and answers.
type fake struct {
	base     any    // what the server says of its setting
	fail     string // a statement that begins so fails
	skips    bool   // like MySQL's, it prepares what has arguments
	sent     []string
	prepared string
	ran      func(ctx context.Context) error // what a statement does
}

var errRefused = errors.New("refused")

// open returns a pool of one connection over f.
func (f *fake) open(t *testing.T, d Dialect, policy deadline.Policy) *sql.DB {
	t.Helper()
	db := sql.OpenDB(d.Connector(f, policy))
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// wants compares what was sent, after the reading of the setting, and forgets it.
func (f *fake) wants(t *testing.T, want ...string) {
	t.Helper()
	got := slices.DeleteFunc(f.sent, func(s string) bool {
		return strings.HasPrefix(s, "SELECT setting") || strings.HasPrefix(s, "SELECT @@")
	})
	if !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	f.sent = nil
}

func (f *fake) send(ctx context.Context, query string) error {
	f.sent = append(f.sent, query)
	if f.fail != "" && strings.HasPrefix(query, f.fail) {
		return errRefused
	}
	if f.ran != nil && !strings.HasPrefix(query, "SET ") {
		return f.ran(ctx)
	}
	return nil
}

func (f *fake) Connect(context.Context) (driver.Conn, error) { return f, nil }
func (f *fake) Driver() driver.Driver                        { return nil }
func (f *fake) Close() error                                 { return nil }
func (f *fake) Begin() (driver.Tx, error)                    { return nil, errors.New("without a context") }
func (f *fake) Prepare(string) (driver.Stmt, error)          { return nil, errors.New("without a context") }
func (f *fake) Ping(ctx context.Context) error               { return f.send(ctx, "ping") }
func (f *fake) Commit() error                                { return f.send(context.Background(), "commit") }
func (f *fake) Rollback() error                              { return f.send(context.Background(), "rollback") }
func (f *fake) NumInput() int                                { return -1 }
func (f *fake) Exec([]driver.Value) (driver.Result, error) {
	return nil, errors.New("without a context")
}
func (f *fake) Query([]driver.Value) (driver.Rows, error) {
	return nil, errors.New("without a context")
}
func (f *fake) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	return f, f.send(ctx, "begin")
}

func (f *fake) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if f.skips && len(args) > 0 {
		return nil, driver.ErrSkip
	}
	return driver.RowsAffected(1), f.send(ctx, query)
}

func (f *fake) QueryContext(ctx context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if err := f.send(ctx, query); err != nil {
		return nil, err
	}
	return &row{f.base}, nil
}

func (f *fake) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	f.prepared = query
	return prepared{f}, f.send(ctx, "prepare "+query)
}

// prepared is the fake as a statement, whose methods have no query.
type prepared struct{ *fake }

func (p prepared) ExecContext(ctx context.Context, _ []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(1), p.send(ctx, "run "+p.fake.prepared)
}

func (p prepared) QueryContext(ctx context.Context, _ []driver.NamedValue) (driver.Rows, error) {
	return &row{p.base}, p.send(ctx, "run "+p.fake.prepared)
}

// row is one row of one column.
type row struct{ value any }

func (r *row) Columns() []string { return []string{"value"} }
func (r *row) Close() error      { return nil }
func (r *row) Next(dest []driver.Value) error {
	if r.value == nil {
		return io.EOF
	}
	dest[0], r.value = r.value, nil
	return nil
}
