package elector

import (
	"context"
	"log"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Elector struct {
	pool     *pgxpool.Pool
	id       string
	interval time.Duration
	cancel   context.CancelFunc
	done     chan struct{}
	onLoss   func()
}

func New(pool *pgxpool.Pool, id string, onLoss func()) *Elector {
	return &Elector{pool: pool, id: id, interval: 5 * time.Second, done: make(chan struct{}), onLoss: onLoss}
}

func (e *Elector) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	go func() {
		defer close(e.done)
		e.keepLeadership(ctx)
	}()
}

func (e *Elector) Stop() {
	e.cancel()
	<-e.done
}

func (e *Elector) keepLeadership(ctx context.Context) {
	tick := time.NewTicker(e.interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		ok, err := e.attemptReelect(ctx)
		if err != nil {
			log.Printf("reelect: %v", err)
		}
		if !ok {
			e.onLoss()
			return
		}
	}
}

func (e *Elector) attemptReelect(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, e.interval)
	defer cancel()
	tag, err := e.pool.Exec(ctx, `UPDATE leader SET expires_at = now() + interval '10 s' WHERE leader_id = $1 AND expires_at > now()`, e.id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}
