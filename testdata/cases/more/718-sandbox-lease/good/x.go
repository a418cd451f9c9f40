// Package good starts sandboxes on nodes; a node is taken by a lease in redis.
package good

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrTaken says that the node is in use.
var ErrTaken = errors.New("node taken")

// VM is a machine of the hypervisor.
type VM interface {
	Boot(ctx context.Context, image string) error
	Kill(ctx context.Context) error
}

// Orchestrator starts sandboxes.
type Orchestrator struct {
	rdb   *redis.Client
	hold  time.Duration
	limit time.Duration
}

// New makes an Orchestrator.
func New(rdb *redis.Client) *Orchestrator {
	return &Orchestrator{rdb: rdb, hold: time.Hour, limit: 30 * time.Second}
}

func (o *Orchestrator) take(ctx context.Context, node, owner string) error {
	ok, err := o.rdb.SetNX(ctx, "lease:"+node, owner, o.hold).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrTaken
	}
	return nil
}

func (o *Orchestrator) undo(ctx context.Context, node string, vm VM) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	if err := vm.Kill(ctx); err != nil {
		slog.Error("kill", "node", node, "err", err)
	}
	if err := o.rdb.Del(ctx, "lease:"+node).Err(); err != nil {
		slog.Error("free", "node", node, "err", err)
	}
}

// Start boots a sandbox on node.
func (o *Orchestrator) Start(ctx context.Context, node, owner, image string, vm VM) error {
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	if err := o.take(ctx, node, owner); err != nil {
		return err
	}
	err := vm.Boot(ctx, image)
	if err != nil {
		o.undo(ctx, node, vm)
		return fmt.Errorf("node %s: %w", node, err)
	}
	return nil
}
