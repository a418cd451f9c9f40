//go:build unix

package deadlinesql

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgres starts a PostgreSQL, and returns how to reach it.
func postgres(t *testing.T) *pgx.ConnConfig {
	t.Helper()
	initdb := program(t, "initdb", "/usr/lib/postgresql/*/bin/initdb", "postgresql")
	daemon := program(t, "postgres", "/usr/lib/postgresql/*/bin/postgres", "postgresql")
	s := directory(t)
	data := filepath.Join(s.dir, "data")
	s.run(t, initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
	config, err := pgx.ParseConfig("host=" + s.dir + " user=postgres dbname=postgres")
	if err != nil {
		t.Fatal(err)
	}
	dial := func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	}
	s.start(t, syscall.SIGINT, dial, daemon, "-D", data, "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off")
	return config
}

// pool is a pool of one connection with limits.
func pool(t *testing.T, config *pgx.ConnConfig, policy deadline.Policy) *sql.DB {
	t.Helper()
	return single(t, sql.OpenDB(Postgres.Connector(stdlib.GetConnector(*config), policy)))
}

// One server for all: it takes a second to start.
func TestPostgres(t *testing.T) {
	config := postgres(t)
	policy := deadline.Policy{Name: "items", Reserve: 500 * time.Millisecond}
	t.Run("the server ends what nobody can cancel", func(t *testing.T) {
		testUncancelled(t, pool(t, config, policy))
	})
	t.Run("the connection stays", func(t *testing.T) {
		testSurvives(t, pool(t, config, policy))
	})
	t.Run("the next who has the connection", func(t *testing.T) {
		testPooled(t, pool(t, config, policy))
	})
	t.Run("transactions", func(t *testing.T) {
		testTransactions(t, pool(t, config, policy))
	})
	t.Run("what the session began with", func(t *testing.T) {
		with := config.Copy()
		with.RuntimeParams["statement_timeout"] = "5s"
		testBase(t, pool(t, with, policy))
	})
	t.Run("SetLocal", func(t *testing.T) {
		db := stdlib.OpenDB(*config)
		defer db.Close()
		testSetLocal(t, db, policy)
	})
	t.Run("the driver beneath", func(t *testing.T) {
		testRaw(t, pool(t, config, policy))
	})
}

// short is a context that is over soon, and long before what runs under it.
func short(t *testing.T) context.Context { return within(t, time.Second) }

// testUncancelled: pg_sleep of 20 s, under a context of which the driver never hears that it is over. It comes back because the
// server was told.
func testUncancelled(t *testing.T, db *sql.DB) {
	ways := map[string]func(ctx context.Context) error{
		"exec": func(ctx context.Context) error { _, err := db.ExecContext(ctx, "SELECT pg_sleep(20)"); return err },
		"query": func(ctx context.Context) error {
			return db.QueryRowContext(ctx, "SELECT pg_sleep($1)", 20).Scan(new(string))
		},
		"transaction": func(ctx context.Context) error {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			_, err = tx.ExecContext(ctx, "SELECT pg_sleep(20)")
			return err
		},
		"prepared": func(ctx context.Context) error {
			s, err := db.PrepareContext(ctx, "SELECT pg_sleep($1)")
			if err != nil {
				return err
			}
			defer s.Close()
			_, err = s.ExecContext(ctx, 20)
			return err
		},
	}
	for name, run := range ways {
		t.Run(name, func(t *testing.T) {
			err := run(deaf{short(t)})
			var e *deadline.Error
			var server *pgconn.PgError
			if !errors.As(err, &e) || e.Reason != deadline.Expired || !e.Whole || e.Op != "items" {
				t.Errorf("%v is not an expiry of all the time there was", err)
			}
			if !errors.As(err, &server) || server.Code != "57014" {
				t.Errorf("%v is not the server's own", err)
			}
		})
	}
}

// testSurvives: with a reserve, the server's answer is there before the driver gives up and throws the connection away.
func testSurvives(t *testing.T, db *sql.DB) {
	before := backend(t, db)
	_, err := db.ExecContext(short(t), "SELECT pg_sleep(20)")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if after := backend(t, db); after != before {
		t.Errorf("the connection to %d was thrown away, and %d is new", before, after)
	}
}

// backend is the process of the server behind the pool's one connection.
func backend(t *testing.T, db *sql.DB) (pid int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		t.Fatal(err)
	}
	return pid
}

// limit is the statement timeout that a query finds itself under.
func limit(t *testing.T, ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (ms int) {
	t.Helper()
	if err := db.QueryRowContext(ctx, settings[Postgres].read).Scan(&ms); err != nil {
		t.Fatal(err)
	}
	return ms
}

// testPooled: a pooled connection keeps no setting.
func testPooled(t *testing.T, db *sql.DB) {
	if ms := limit(t, within(t, time.Minute), db); ms <= 0 || ms > 59_500 {
		t.Errorf("a limit of %d ms where a minute is left, less 500 ms", ms)
	}
	if ms := limit(t, t.Context(), db); ms != 0 {
		t.Errorf("a limit of %d ms where there is no deadline", ms)
	}
	if ms := limit(t, within(t, 10*time.Second), db); ms <= 0 || ms > 9_500 {
		t.Errorf("a limit of %d ms where 10 s are left, less 500 ms", ms)
	}
}

// testTransactions: the limit is of each statement, and neither the commit nor a rollback leaves one behind.
func testTransactions(t *testing.T, db *sql.DB) {
	for _, end := range []func(*sql.Tx) error{(*sql.Tx).Commit, (*sql.Tx).Rollback} {
		if ms := limit(t, within(t, time.Minute), db); ms == 0 { // the session has one
			t.Error("no limit before")
		}
		tx, err := db.BeginTx(t.Context(), nil)
		ran(t, nil, err)
		if ms := limit(t, t.Context(), tx); ms != 0 {
			t.Errorf("the transaction begins with a limit of %d ms", ms)
		}
		first := limit(t, within(t, time.Minute), tx)
		_, err = tx.ExecContext(t.Context(), "SAVEPOINT s")
		ran(t, nil, err)
		second := limit(t, within(t, 10*time.Second), tx)
		_, err = tx.ExecContext(t.Context(), "ROLLBACK TO s") // brings back a setting of before
		ran(t, nil, err)
		if ms := limit(t, t.Context(), tx); ms != 0 || first <= 10_000 || second > 10_000 || second <= 0 {
			t.Errorf("limits of %d ms, %d ms and then, without a deadline, %d ms", first, second, ms)
		}
		ran(t, nil, end(tx))
		if ms := limit(t, t.Context(), db); ms != 0 {
			t.Errorf("a limit of %d ms is left behind", ms)
		}
	}
}

// testBase: a limit that the session began with is never extended, and comes back.
func testBase(t *testing.T, db *sql.DB) {
	for _, left := range []time.Duration{time.Minute, 0, 3 * time.Second, 0} {
		ms := limit(t, within(t, left), db)
		if less := left == 3*time.Second; less && (ms <= 0 || ms > 2_500) || !less && ms != 5_000 {
			t.Errorf("a limit of %d ms where %v are left and the session began with 5s", ms, left)
		}
	}
}

func testSetLocal(t *testing.T, db *sql.DB, policy deadline.Policy) {
	tx, err := db.BeginTx(t.Context(), nil)
	ran(t, nil, err)
	defer tx.Rollback()
	ran(t, nil, SetLocal(t.Context(), tx, policy))
	if ms := limit(t, t.Context(), tx); ms != 0 {
		t.Errorf("a limit of %d ms of a context without a deadline", ms)
	}
	if err := SetLocal(within(t, time.Millisecond), tx, policy); !errors.Is(err, deadline.BelowMinimum) && !errors.Is(err, deadline.Expired) {
		t.Errorf("%v", err)
	}
	ran(t, nil, SetLocal(short(t), tx, policy))
	var server *pgconn.PgError
	if _, err := tx.ExecContext(t.Context(), "SELECT pg_sleep(20)"); !errors.As(err, &server) || server.Code != "57014" {
		t.Errorf("%v", err)
	}
}

func testRaw(t *testing.T, db *sql.DB) {
	c, err := db.Conn(t.Context())
	ran(t, nil, err)
	defer c.Close()
	ran(t, nil, c.Raw(func(dc any) error {
		if _, ok := dc.(*conn).Unwrap().(*stdlib.Conn); !ok {
			t.Errorf("%T", dc.(*conn).Unwrap())
		}
		return nil
	}))
}
