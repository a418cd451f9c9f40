package retention

import (
	"context"
	"database/sql"
	"log/slog"
	"time"
)

// Janitor deletes rows that are older than they may be.
type Janitor struct {
	db    *sql.DB
	keep  time.Duration
	batch int
	clock func() time.Time
}

// NewJanitor deletes rows in batches.
func NewJanitor(db *sql.DB, keep time.Duration) *Janitor {
	return &Janitor{db: db, keep: keep, batch: 1000, clock: func() time.Time { return time.Now().UTC() }}
}

// Record writes down that something happened.
func (j *Janitor) Record(ctx context.Context, what string) error {
	_, err := j.db.ExecContext(ctx, "INSERT INTO events (what, created_at) VALUES ($1, $2)", what, j.clock())
	return err
}

// Sweep deletes batch after batch until none is left.
func (j *Janitor) Sweep(ctx context.Context) (total int64, err error) {
	cut := j.clock().Add(-j.keep)
	began := time.Now()
	for {
		res, err := j.db.ExecContext(ctx,
			"DELETE FROM events WHERE id IN (SELECT id FROM events WHERE created_at < $1 LIMIT $2)", cut, j.batch)
		if err != nil {
			return total, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return total, err
		}
		total += n
		if n < int64(j.batch) {
			slog.InfoContext(ctx, "swept", "rows", total, "cut", cut.Format(time.RFC3339), "took", time.Since(began))
			return total, nil
		}
	}
}
