package deadlinesql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/doneby/doneby/deadline"
)

// within is a context with d left; with 0, one without a deadline.
func within(t *testing.T, d time.Duration) context.Context {
	if d == 0 {
		return t.Context()
	}
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// ran fails the test if a statement did.
func ran(t *testing.T, _ any, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// What is sent, by dialect: each statement has its own limit, and none the one of another.
func TestSent(t *testing.T) {
	const d = 1500*time.Millisecond + 999*time.Microsecond // rounded down
	tests := []struct {
		name    string
		dialect Dialect
		base    any
		policy  deadline.Policy
		run     func(t *testing.T, db *sql.DB, f *fake)
		want    []string
	}{
		{"PostgreSQL, a deadline and then none", Postgres, "0", deadline.Policy{}, twice(d, 0),
			[]string{"SET SESSION statement_timeout = 1500", "a", "SET SESSION statement_timeout = 0", "b", "c"}},
		{"MySQL", MySQL, []byte("0"), deadline.Policy{}, twice(d, 0),
			[]string{"SET SESSION max_execution_time = 1500", "a", "SET SESSION max_execution_time = 0", "b", "c"}},
		{"MariaDB", MariaDB, 0.0, deadline.Policy{}, twice(d, 0),
			[]string{"SET SESSION max_statement_time = 1.500", "a", "SET SESSION max_statement_time = 0.000", "b", "c"}},
		{"no deadline", Postgres, "0", deadline.Policy{}, twice(0, 0), []string{"a", "b", "c"}},
		{"no deadline, a cap", Postgres, "0", deadline.Policy{Cap: time.Second}, twice(0, 0), []string{
			"SET SESSION statement_timeout = 1000", "a", "SET SESSION statement_timeout = 1000", "b", "SET SESSION statement_timeout = 1000", "c"}},
		{"a reserve", Postgres, "0", deadline.Policy{Reserve: 500 * time.Millisecond}, twice(d, 0),
			[]string{"SET SESSION statement_timeout = 1000", "a", "SET SESSION statement_timeout = 0", "b", "c"}},
		{"the session has less", Postgres, "1000", deadline.Policy{}, twice(d, 0), []string{"a", "b", "c"}},
		{"the session has more", Postgres, "5000", deadline.Policy{}, twice(d, 0),
			[]string{"SET SESSION statement_timeout = 1500", "a", "SET SESSION statement_timeout = 5000", "b", "c"}},
		{"longer than PostgreSQL can say", Postgres, "0", deadline.Policy{}, twice(1000*time.Hour, 0),
			[]string{"SET SESSION statement_timeout = 2147483647", "a", "SET SESSION statement_timeout = 0", "b", "c"}},
		{"a transaction", Postgres, "0", deadline.Policy{}, transaction(d), []string{"begin",
			"SET LOCAL statement_timeout = 1500", "a", "SET LOCAL statement_timeout = 0", "b", "SET LOCAL statement_timeout = 0", "c", "commit", "after"}},
		{"a transaction after a deadline", Postgres, "0", deadline.Policy{}, func(t *testing.T, db *sql.DB, f *fake) {
			_, err := db.ExecContext(within(t, d), "before")
			ran(t, nil, err)
			transaction(0)(t, db, f)
		}, []string{"SET SESSION statement_timeout = 1500", "before", "SET SESSION statement_timeout = 0", "begin", "a", "b", "c", "commit", "after"}},
		{"a transaction of MySQL, which has no local setting", MySQL, int64(0), deadline.Policy{}, transaction(d), []string{"begin",
			"SET SESSION max_execution_time = 1500", "a", "SET SESSION max_execution_time = 0", "b", "c", "commit", "after"}},
		{"a statement of a driver that prepares", MySQL, "0", deadline.Policy{}, func(t *testing.T, db *sql.DB, f *fake) {
			f.skips = true
			_, err := db.ExecContext(within(t, d), "a", 1)
			ran(t, nil, err)
		}, []string{"SET SESSION max_execution_time = 1500", "SET SESSION max_execution_time = 1500", "prepare a",
			"SET SESSION max_execution_time = 1500", "run a"}},
		{"ping after a deadline", Postgres, "0", deadline.Policy{}, func(t *testing.T, db *sql.DB, f *fake) {
			_, err := db.ExecContext(within(t, d), "a")
			ran(t, nil, err)
			ran(t, nil, db.PingContext(within(t, time.Minute)))
		}, []string{"SET SESSION statement_timeout = 1500", "a", "SET SESSION statement_timeout = 0", "ping"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{base: tt.base}
				tt.run(t, f.open(t, tt.dialect, tt.policy), f)
				f.wants(t, tt.want...)
			})
		})
	}
}

// twice runs a statement with first left, and two with second.
func twice(first, second time.Duration) func(*testing.T, *sql.DB, *fake) {
	return func(t *testing.T, db *sql.DB, _ *fake) {
		_, err := db.ExecContext(within(t, first), "a")
		ran(t, nil, err)
		rows, err := db.QueryContext(within(t, second), "b")
		ran(t, nil, err)
		rows.Close()
		_, err = db.ExecContext(within(t, second), "c")
		ran(t, nil, err)
	}
}

// transaction runs a statement with first left and two without a deadline, commits, and runs one after.
func transaction(first time.Duration) func(*testing.T, *sql.DB, *fake) {
	return func(t *testing.T, db *sql.DB, _ *fake) {
		tx, err := db.BeginTx(t.Context(), nil)
		ran(t, nil, err)
		_, err = tx.ExecContext(within(t, first), "a")
		ran(t, nil, err)
		_, err = tx.ExecContext(t.Context(), "b")
		ran(t, nil, err)
		_, err = tx.ExecContext(t.Context(), "c")
		ran(t, nil, err)
		ran(t, nil, tx.Commit())
		_, err = db.ExecContext(t.Context(), "after")
		ran(t, nil, err)
	}
}

// What cannot be in time is not sent, in any way of sending it.
func TestRefused(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name   string
		ctx    func(*testing.T) context.Context
		policy deadline.Policy
		want   error
	}{
		{"too little", func(t *testing.T) context.Context { return within(t, 10*time.Millisecond) }, deadline.Policy{Min: time.Second}, deadline.BelowMinimum},
		{"less than 1ms, which would be 0", func(t *testing.T) context.Context { return within(t, 999*time.Microsecond) }, deadline.Policy{}, deadline.BelowMinimum},
		{"no deadline where one is required", func(t *testing.T) context.Context { return t.Context() }, deadline.Policy{Require: true}, deadline.NoDeadline},
		{"a policy that is wrong", func(t *testing.T) context.Context { return t.Context() }, deadline.Policy{Cap: -1}, deadline.BadPolicy},
		{"cancelled", func(*testing.T) context.Context { return gone }, deadline.Policy{}, context.Canceled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{base: "0"}
				db := f.open(t, Postgres, deadline.Policy{})
				c, err := db.Conn(t.Context())
				ran(t, nil, err)
				defer c.Close()
				c.Raw(func(dc any) error { dc.(*conn).policy = tt.policy; return nil })
				f.sent = nil
				ctx := tt.ctx(t)
				for what, run := range map[string]func() error{
					"exec":    func() error { _, err := c.ExecContext(ctx, "a"); return err },
					"query":   func() error { _, err := c.QueryContext(ctx, "a"); return err },
					"prepare": func() error { _, err := c.PrepareContext(ctx, "a"); return err },
					"begin":   func() error { _, err := c.BeginTx(ctx, nil); return err },
				} {
					if err := run(); !errors.Is(err, tt.want) {
						t.Errorf("%s: %v, want %v", what, err, tt.want)
					}
				}
				f.wants(t)
			})
		})
	}
}

// An error that comes when the limit has passed is one of time, and what the server said is beneath. Others stay as they are.
func TestErrors(t *testing.T) {
	server := errors.New("57014: canceling statement due to statement timeout")
	tests := []struct {
		name    string
		takes   time.Duration
		fails   error
		policy  deadline.Policy
		expired bool
		whole   bool
	}{
		{"the server's limit", 900 * time.Millisecond, server, deadline.Policy{Reserve: 100 * time.Millisecond}, true, true},
		{"the server's limit, of a cap", 100 * time.Millisecond, server, deadline.Policy{Cap: 100 * time.Millisecond}, true, false},
		{"before it", 899 * time.Millisecond, server, deadline.Policy{Reserve: 100 * time.Millisecond}, false, false},
		{"a connection that is bad, which database/sql tries again", time.Second, driver.ErrBadConn, deadline.Policy{}, false, false},
		{"late, and done", time.Second, nil, deadline.Policy{}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{base: "0", ran: func(context.Context) error { return nil }}
				db := f.open(t, Postgres, tt.policy)
				ran(t, nil, db.PingContext(t.Context()))
				f.ran = func(context.Context) error { time.Sleep(tt.takes); return tt.fails }
				ctx := deaf{within(t, time.Second)} // database/sql must not answer for us
				_, err := db.ExecContext(ctx, "a")
				var e *deadline.Error
				if errors.As(err, &e) != tt.expired || tt.expired && (e.Reason != deadline.Expired || e.Whole != tt.whole || !errors.Is(err, server)) {
					t.Errorf("%#v", err)
				}
				if tt.fails != nil && !errors.Is(err, tt.fails) && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v has lost %v", err, tt.fails)
				}
			})
		})
	}
}

// deaf is a context with a deadline of which nobody hears when it passes: a cancellation that is lost on its way.
type deaf struct{ context.Context }

func (deaf) Done() <-chan struct{} { return nil }
func (deaf) Err() error            { return nil }

// A limit that could not be set is one that is not known: nothing runs, and the next statement sets its own.
func TestSetFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{base: "0", fail: "SET SESSION statement_timeout = 1500"}
		db := f.open(t, Postgres, deadline.Policy{})
		if _, err := db.ExecContext(within(t, 1500*time.Millisecond), "a"); !errors.Is(err, errRefused) {
			t.Errorf("%v", err)
		}
		f.fail = ""
		_, err := db.ExecContext(t.Context(), "b")
		ran(t, nil, err)
		f.wants(t, "SET SESSION statement_timeout = 1500", "SET SESSION statement_timeout = 0", "b")
	})
}

// What cannot be a connection says why.
func TestConnect(t *testing.T) {
	for name, c := range map[string]driver.Connector{
		"no dialect":               Dialect(0).Connector(&fake{base: "0"}, deadline.Policy{}),
		"an unknown dialect":       Dialect(9).Connector(&fake{base: "0"}, deadline.Policy{}),
		"no setting":               Postgres.Connector(&fake{}, deadline.Policy{}),
		"a setting that is none":   Postgres.Connector(&fake{base: "five"}, deadline.Policy{}),
		"a setting below 0":        Postgres.Connector(&fake{base: "-1"}, deadline.Policy{}),
		"a setting that is no end": Postgres.Connector(&fake{base: "NaN"}, deadline.Policy{}),
		"a server that refuses":    MySQL.Connector(&fake{base: "0", fail: "SELECT"}, deadline.Policy{}),
	} {
		if _, err := c.Connect(context.Background()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
