// Package good changes volumes, one operation per volume at a time.
package good

import (
	"context"
	"fmt"
	"sync"
)

// keys hands out one lock per name.
type keys struct {
	mu    sync.Mutex
	slots map[string]chan struct{}
}

func newKeys() *keys { return &keys{slots: map[string]chan struct{}{}} }

func (k *keys) slot(name string) chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.slots[name]
	if !ok {
		s = make(chan struct{}, 1)
		k.slots[name] = s
	}
	return s
}

// hold returns once the caller is alone with name.
func (k *keys) hold(ctx context.Context, name string) (release func(), err error) {
	s := k.slot(name)
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Volume is what the cloud tells about a disk.
type Volume struct {
	ID       string
	SizeGB   int
	Attached string
}

// Cloud is the provider's interface.
type Cloud interface {
	Describe(ctx context.Context, id string) (Volume, error)
	Grow(ctx context.Context, id string, gb int) error
	Attach(ctx context.Context, id, node string) error
}

// Controller serves the driver's calls.
type Controller struct {
	cloud Cloud
	keys  *keys
}

// NewController returns a controller for the given cloud.
func NewController(c Cloud) *Controller { return &Controller{cloud: c, keys: newKeys()} }

// Expand makes a volume at least gb large.
func (c *Controller) Expand(ctx context.Context, id string, gb int) error {
	return c.alone(ctx, id, func(v Volume) error {
		if v.SizeGB >= gb {
			return nil
		}
		return c.cloud.Grow(ctx, id, gb)
	})
}

// Publish attaches a volume to a node.
func (c *Controller) Publish(ctx context.Context, id, node string) error {
	return c.alone(ctx, id, func(v Volume) error {
		switch v.Attached {
		case node:
			return nil
		case "":
			return c.cloud.Attach(ctx, id, node)
		}
		return fmt.Errorf("volume %s is attached to %s", id, v.Attached)
	})
}

// alone runs change with the present state of a volume.
func (c *Controller) alone(ctx context.Context, id string, change func(Volume) error) error {
	release, err := c.keys.hold(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	v, err := c.cloud.Describe(ctx, id)
	if err != nil {
		return fmt.Errorf("describe %s: %w", id, err)
	}
	return change(v)
}
