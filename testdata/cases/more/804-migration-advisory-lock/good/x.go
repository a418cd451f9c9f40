// Package good applies schema changes at program start, one process at a time.
package good

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"log"
	"time"
)

// Driver hides what differs between databases.
type Driver interface {
	Lock() error
	Unlock() error
	Version() (int, error)
	Apply(version int, script string) error
	Close() error
}

// Limits says how long each step may take.
type Limits struct {
	Lock      time.Duration
	Statement time.Duration
	Control   time.Duration
}

type postgres struct {
	conn   *sql.Conn
	key    int64
	limits Limits
}

// OpenPostgres takes one session out of db for the whole run.
func OpenPostgres(db *sql.DB, schema string, l Limits) (Driver, error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.Control)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &postgres{conn: conn, key: int64(crc32.ChecksumIEEE([]byte(schema))), limits: l}, nil
}

func (p *postgres) exec(limit time.Duration, query string, args ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	_, err := p.conn.ExecContext(ctx, query, args...)
	return err
}

func (p *postgres) Lock() error {
	if err := p.exec(p.limits.Lock, "SELECT pg_advisory_lock($1)", p.key); err != nil {
		return fmt.Errorf("lock %d: %w", p.key, err)
	}
	return nil
}

func (p *postgres) Unlock() error {
	return p.exec(p.limits.Control, "SELECT pg_advisory_unlock($1)", p.key)
}

func (p *postgres) Version() (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.limits.Control)
	defer cancel()
	var v int
	err := p.conn.QueryRowContext(ctx, "SELECT version FROM schema_version").Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return v, err
}

func (p *postgres) Apply(version int, script string) error {
	if err := p.exec(p.limits.Statement, script); err != nil {
		return fmt.Errorf("version %d: %w", version, err)
	}
	return p.exec(p.limits.Control, "UPDATE schema_version SET version = $1", version)
}

func (p *postgres) Close() error { return p.conn.Close() }

// Script is one change of the schema.
type Script struct {
	Version int
	SQL     string
}

// Up brings the schema to the newest version.
func Up(d Driver, scripts []Script) (err error) {
	if err := d.Lock(); err != nil {
		return err
	}
	defer func() {
		if uerr := d.Unlock(); uerr != nil {
			err = errors.Join(err, uerr)
		}
	}()
	have, err := d.Version()
	if err != nil {
		return err
	}
	for _, s := range scripts {
		if s.Version <= have {
			continue
		}
		began := time.Now()
		if err := d.Apply(s.Version, s.SQL); err != nil {
			return err
		}
		log.Printf("schema at version %d after %s", s.Version, time.Since(began))
	}
	return nil
}
