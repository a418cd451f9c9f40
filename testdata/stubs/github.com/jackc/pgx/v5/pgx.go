// Package pgx has the few signatures of github.com/jackc/pgx/v5 that the READMEs' programs use.
package pgx

import "context"

type Conn struct{}

func Connect(ctx context.Context, connString string) (*Conn, error) { return nil, nil }

func (*Conn) Query(ctx context.Context, sql string, args ...any) (Rows, error) { return nil, nil }
func (*Conn) QueryRow(ctx context.Context, sql string, args ...any) Row        { return nil }
func (*Conn) Ping(ctx context.Context) error                                   { return nil }
func (*Conn) Close(ctx context.Context) error                                  { return nil }

type Rows interface {
	Close()
	Err() error
	Next() bool
	Scan(dest ...any) error
}

type Row interface{ Scan(dest ...any) error }
