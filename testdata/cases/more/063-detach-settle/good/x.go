package disks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

const settle = 3 * time.Second

var ErrInUse = errors.New("device in use")

// Hypervisor attaches disks.
type Hypervisor interface {
	Detach(ctx context.Context, vm, disk string) error
}

type Node struct {
	hv    Hypervisor
	vm    string
	byID  func(disk string) string
	inUse func(dev string) bool
}

func (n *Node) gone(disk string) bool {
	_, err := os.Stat(n.byID(disk))
	return errors.Is(err, os.ErrNotExist)
}

// Detach removes a disk and checks that its device went away.
func (n *Node) Detach(ctx context.Context, disk string) error {
	if n.gone(disk) {
		return nil
	}
	if n.inUse(n.byID(disk)) {
		return fmt.Errorf("%s: %w", disk, ErrInUse)
	}
	if err := n.hv.Detach(ctx, n.vm, disk); err != nil {
		return fmt.Errorf("detach %s: %w", disk, err)
	}
	select {
	case <-time.After(settle):
	case <-ctx.Done():
		return ctx.Err()
	}
	if !n.gone(disk) {
		return fmt.Errorf("%s still present", disk)
	}
	return nil
}
