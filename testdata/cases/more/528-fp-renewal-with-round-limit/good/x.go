package presence

import (
	"context"
	"database/sql"
	"log"
	"sync"
	"time"
)

type Keeper struct {
	db     *sql.DB
	node   string
	every  time.Duration
	stop   context.CancelFunc
	joined sync.WaitGroup
}

func Start(db *sql.DB, node string, every time.Duration) *Keeper {
	life, stop := context.WithCancel(context.Background())
	k := &Keeper{db: db, node: node, every: every, stop: stop}
	k.joined.Add(1)
	go func() {
		defer k.joined.Done()
		k.loop(life)
	}()
	return k
}

func bounded[T any](ctx context.Context, d time.Duration, fn func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return fn(ctx)
}

func (k *Keeper) loop(ctx context.Context) {
	t := time.NewTicker(k.every)
	defer t.Stop()
	for {
		if n, err := bounded(ctx, k.every/2, k.beat); err != nil {
			log.Printf("presence: %v", err)
		} else if n == 0 {
			log.Printf("presence: %s is not registered", k.node)
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

func (k *Keeper) beat(ctx context.Context) (int64, error) {
	res, err := k.db.ExecContext(ctx, `UPDATE nodes SET seen = now() WHERE name = $1`, k.node)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Close ends the loop and signs the node off.
func (k *Keeper) Close() error {
	k.stop()
	k.joined.Wait()
	_, err := bounded(context.Background(), 2*time.Second, func(ctx context.Context) (sql.Result, error) {
		return k.db.ExecContext(ctx, `DELETE FROM nodes WHERE name = $1`, k.node)
	})
	return err
}
