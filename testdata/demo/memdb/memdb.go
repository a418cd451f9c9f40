// Package memdb is a database/sql driver that keeps its rows in memory. It knows three statements: insert, delete, and
// select, each with an id or without.
package memdb

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
)

func init() { sql.Register("memdb", &DB{}) }

// DB is the one database there is.
type DB struct {
	mu   sync.Mutex
	rows [][]driver.Value // id, item
}

// Open implements driver.Driver.
func (d *DB) Open(string) (driver.Conn, error) { return conn{d}, nil }

type conn struct{ db *DB }

func (c conn) Prepare(query string) (driver.Stmt, error) {
	verb, _, _ := strings.Cut(query, " ")
	if !slices.Contains([]string{"insert", "delete", "select"}, verb) {
		return nil, errors.New("memdb: unknown statement " + verb)
	}
	return stmt{c.db, verb}, nil
}

func (c conn) Close() error              { return nil }
func (c conn) Begin() (driver.Tx, error) { return c, nil }
func (c conn) Commit() error             { return nil }
func (c conn) Rollback() error           { return nil }

type stmt struct {
	db   *DB
	verb string
}

func (s stmt) Close() error  { return nil }
func (s stmt) NumInput() int { return -1 }

func (s stmt) Exec(args []driver.Value) (driver.Result, error) {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	if s.verb == "insert" {
		s.db.rows = append(s.db.rows, args)
		return driver.RowsAffected(1), nil
	}
	before := len(s.db.rows)
	s.db.rows = slices.DeleteFunc(s.db.rows, func(r []driver.Value) bool { return r[0] == args[0] })
	return driver.RowsAffected(before - len(s.db.rows)), nil
}

func (s stmt) Query(args []driver.Value) (driver.Rows, error) {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	out := slices.Clone(s.db.rows)
	if len(args) > 0 {
		out = slices.DeleteFunc(out, func(r []driver.Value) bool { return r[0] != args[0] })
	}
	return &rows{left: out}, nil
}

type rows struct{ left [][]driver.Value }

func (*rows) Columns() []string { return []string{"id", "item"} }
func (*rows) Close() error      { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if len(r.left) == 0 {
		return io.EOF
	}
	copy(dest, r.left[0])
	r.left = r.left[1:]
	return nil
}
