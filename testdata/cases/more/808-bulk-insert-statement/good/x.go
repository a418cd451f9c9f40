// Package good stores readings of meters in batches.
package good

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Reading is one value of one meter.
type Reading struct {
	Meter string    `json:"meter"`
	At    time.Time `json:"at"`
	KWh   float64   `json:"kwh"`
}

// Store keeps readings in a table.
type Store struct {
	db     *sql.DB
	insert *sql.Stmt
}

// Open prepares the statements.
func Open(ctx context.Context, db *sql.DB) (*Store, error) {
	insert, err := db.PrepareContext(ctx,
		"INSERT INTO readings (meter, at, kwh) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
	if err != nil {
		return nil, err
	}
	return &Store{db: db, insert: insert}, nil
}

func (s *Store) inTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		if rerr := tx.Rollback(); rerr != nil && !errors.Is(rerr, sql.ErrTxDone) {
			err = errors.Join(err, rerr)
		}
		return err
	}
	return tx.Commit()
}

// Save stores a batch as a whole and returns how many readings were new.
func (s *Store) Save(ctx context.Context, batch []Reading) (int64, error) {
	var added int64
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		stmt := tx.StmtContext(ctx, s.insert)
		defer stmt.Close()
		var err error
		added, err = fill(ctx, stmt, batch)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("save %d readings: %w", len(batch), err)
	}
	return added, nil
}

func fill(ctx context.Context, stmt *sql.Stmt, batch []Reading) (int64, error) {
	var added int64
	for _, r := range batch {
		res, err := stmt.ExecContext(ctx, r.Meter, r.At, r.KWh)
		if err != nil {
			return 0, fmt.Errorf("meter %s: %w", r.Meter, err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return 0, err
		}
		added += n
	}
	return added, nil
}

// Close releases the statements.
func (s *Store) Close() error { return s.insert.Close() }

// Ingest is the HTTP endpoint of the gateways.
type Ingest struct {
	Store *Store
	Limit time.Duration
}

// ServeHTTP implements http.Handler.
func (i *Ingest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var batch []Reading
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&batch); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), i.Limit)
	defer cancel()
	added, err := i.Store.Save(ctx, batch)
	if err != nil {
		http.Error(w, "not stored", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, "%d\n", added)
}
