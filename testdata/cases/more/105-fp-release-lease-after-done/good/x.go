package lease

import (
	"context"
	"log/slog"
	"time"
)

// Store keeps one lease.
type Store interface {
	Renew(ctx context.Context, owner string) error
	Release(ctx context.Context, owner string) error
}

type Keeper struct {
	st    Store
	owner string
	every time.Duration
}

func NewKeeper(st Store, owner string, every time.Duration) *Keeper {
	return &Keeper{st, owner, every}
}

// Hold keeps the lease until ctx ends, then gives it back.
func (k *Keeper) Hold(ctx context.Context) error {
	t := time.NewTicker(k.every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			k.giveBack()
			return nil
		case <-t.C:
			if err := k.renew(ctx); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

func (k *Keeper) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, k.every)
	defer cancel()
	return k.st.Renew(ctx, k.owner)
}

func (k *Keeper) giveBack() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := k.st.Release(ctx, k.owner); err != nil {
		slog.Warn("lease not released", "owner", k.owner, "err", err)
	}
}
