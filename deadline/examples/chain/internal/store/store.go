// Package store is the database of the chain: SQLite in a file of its own, or PostgreSQL. Its pool of connections is a queue
// like any other, and a connection is busy for as long as its query runs.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/ledger"
	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
)

// Orders is how many there are; the number of a request, modulo this, is what it asks for.
const Orders = 1000

// read takes plan.Query: the function sleeps in PostgreSQL, and so it does in SQLite, where function.go adds it.
const read = `SELECT name, pg_sleep(%.4f) FROM doneby_chain WHERE id = $1`

// A DB is an open database.
type DB struct {
	pool    *sql.DB
	query   string
	station *ledger.Station
	remove  func(context.Context) error
}

// Open opens the database that dsn names, such as postgres://localhost/test, or a SQLite file of its own if that is empty, and
// fills the table doneby_chain. [DB.Close] takes the table, or the file, away again.
func Open(ctx context.Context, dsn string, station *ledger.Station) (*DB, error) {
	db := &DB{query: fmt.Sprintf(read, plan.Query.Seconds()), station: station}
	var err error
	if dsn == "" {
		err = db.openFile()
	} else {
		err = db.openServer(dsn)
	}
	if err != nil {
		return nil, err
	}
	db.pool.SetMaxOpenConns(plan.Connections)
	db.pool.SetMaxIdleConns(plan.Connections)
	if err = db.fill(ctx); err == nil {
		err = db.connect(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close(ctx))
	}
	return db, nil
}

// openServer opens a PostgreSQL database. When a query's context ends, pgx by default closes the connection, and under overload
// the server would do little but open new ones. Here the query is cancelled instead, in all variants, and only if it is late.
func (db *DB) openServer(dsn string) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	config.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, CancelRequestDelay: 2 * plan.Query, DeadlineDelay: time.Second}
	}
	db.pool = stdlib.OpenDB(*config)
	db.remove = func(ctx context.Context) error {
		_, err := db.pool.ExecContext(ctx, "DROP TABLE IF EXISTS doneby_chain")
		return err
	}
	return nil
}

func (db *DB) openFile() error {
	if err := sleeps(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "chain")
	if err != nil {
		return err
	}
	db.remove = func(context.Context) error { return os.RemoveAll(dir) }
	db.pool, err = sql.Open("sqlite", filepath.Join(dir, "chain.db"))
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// fill makes the table.
func (db *DB) fill(ctx context.Context) error {
	rows := make([]string, Orders)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d, 'order %d')", i, i)
	}
	for _, statement := range []string{
		"DROP TABLE IF EXISTS doneby_chain",
		"CREATE TABLE doneby_chain (id integer PRIMARY KEY, name text NOT NULL)",
		"INSERT INTO doneby_chain VALUES " + strings.Join(rows, ", "),
	} {
		if _, err := db.pool.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// connect opens all connections, so that no query of the run has to.
func (db *DB) connect(ctx context.Context) error {
	for range plan.Connections {
		conn, err := db.pool.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close() // back into the pool, when all are open
		if err := conn.PingContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Read returns the name of an order. It waits for a connection, and then for the query, for as long as ctx allows.
func (db *DB) Read(ctx context.Context, id string) (name string, err error) {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	var number int
	if _, err := fmt.Sscan(id, &number); err != nil {
		return "", err
	}
	err = db.station.Do(id, func() error {
		var slept any
		return conn.QueryRowContext(ctx, db.query, number%Orders).Scan(&name, &slept)
	})
	return name, err
}

// Close takes away what Open made. It does so after the end of ctx too, and has five seconds for it.
func (db *DB) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(db.remove(ctx), db.pool.Close())
}
