// Package quota counts uses in redis with optimistic locking.
package quota

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	ErrSpent = errors.New("quota spent")
	ErrBusy  = errors.New("too much contention")
)

const rounds = 8

// Quotas is safe for concurrent use.
type Quotas struct {
	rdb    redis.UniversalClient
	window time.Duration
	max    int64
}

func New(rdb redis.UniversalClient, window time.Duration, max int64) *Quotas {
	return &Quotas{rdb: rdb, window: window, max: max}
}

func (q *Quotas) key(user string) string { return "quota:" + user }

func (q *Quotas) spend(ctx context.Context, key string, n int64) func(*redis.Tx) error {
	return func(tx *redis.Tx) error {
		have, err := tx.Get(ctx, key).Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		if have+n > q.max {
			return ErrSpent
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Set(ctx, key, have+n, q.window)
			return nil
		})
		return err
	}
}

// Spend takes n from user's quota.
func (q *Quotas) Spend(ctx context.Context, user string, n int64) error {
	key := q.key(user)
	for range rounds {
		err := q.rdb.Watch(ctx, q.spend(ctx, key, n), key)
		if errors.Is(err, redis.TxFailedErr) {
			continue
		}
		if err != nil {
			return fmt.Errorf("quota of %s: %w", user, err)
		}
		return nil
	}
	return ErrBusy
}
