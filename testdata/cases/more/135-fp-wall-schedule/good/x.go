package daily

import (
	"context"
	"database/sql"
	"log/slog"
	"time"
)

// Job runs once a day at a fixed time of day.
type Job struct {
	db   *sql.DB
	zone *time.Location
	hour int
	run  func(ctx context.Context) error
}

func (j *Job) next(now time.Time) time.Time {
	now = now.In(j.zone)
	t := time.Date(now.Year(), now.Month(), now.Day(), j.hour, 0, 0, 0, j.zone)
	if !t.After(now) {
		t = t.AddDate(0, 0, 1)
	}
	return t
}

func (j *Job) ranToday(ctx context.Context) (bool, error) {
	var last sql.NullTime
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := j.db.QueryRowContext(ctx, `SELECT max(at) FROM runs`).Scan(&last); err != nil {
		return false, err
	}
	return last.Valid && time.Now().UTC().Sub(last.Time) < 12*time.Hour, nil
}

// Loop runs the job every day until ctx ends.
func (j *Job) Loop(ctx context.Context) {
	for {
		at := j.next(time.Now())
		t := time.NewTimer(time.Until(at))
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return
		}
		done, err := j.ranToday(ctx)
		if err != nil || done {
			slog.Info("skipped", "err", err)
			continue
		}
		rctx, cancel := context.WithTimeout(ctx, time.Hour)
		if err := j.run(rctx); err != nil {
			slog.Error("daily run", "due", at.UTC(), "err", err)
		}
		cancel()
	}
}
