package jobqueue

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrNone = errors.New("no job")

type Job struct {
	ID   string
	Args []byte
}

type Queue struct {
	pool  *pgxpool.Pool
	grace time.Duration
}

func New(pool *pgxpool.Pool) *Queue { return &Queue{pool: pool, grace: 10 * time.Second} }

// Dequeue takes a job of one of the kinds.
func (q *Queue) Dequeue(ctx context.Context, kinds []string) (*Job, error) {
	var j Job
	err := q.pool.QueryRow(ctx, `DELETE FROM ready WHERE id = (
		SELECT id FROM ready WHERE kind = ANY($1) FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id, args`, kinds).Scan(&j.ID, &j.Args)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	// past the point of no return: the job is ours
	if err := q.claim(ctx, &j); err != nil {
		return nil, err
	}
	return &j, nil
}

func (q *Queue) claim(ctx context.Context, j *Job) error {
	ctx = context.WithoutCancel(ctx)                                                                   // BUG(detached)
	if _, err := q.pool.Exec(ctx, `UPDATE jobs SET started = now() WHERE id = $1`, j.ID); err != nil { // ALT(detached)
		return err
	}
	_, err := q.pool.Exec(ctx, `INSERT INTO heartbeats (id, at) VALUES ($1, now())`, j.ID) // ALT(detached)
	return err
}
