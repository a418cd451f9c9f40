// Package good mounts volumes on a node.
package good

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Attacher finds the device of an attached volume.
type Attacher interface {
	WaitForAttach(ctx context.Context, serial string) (string, error)
}

type byID struct {
	dir  string
	wait time.Duration
}

// NewAttacher makes an Attacher that looks below /dev/disk/by-id.
func NewAttacher() Attacher { return &byID{dir: "/dev/disk/by-id", wait: time.Minute} }

func (a *byID) find(serial string) (string, error) {
	names, err := os.ReadDir(a.dir)
	if err != nil {
		return "", err
	}
	for _, n := range names {
		if strings.HasSuffix(n.Name(), serial) {
			return filepath.EvalSymlinks(filepath.Join(a.dir, n.Name()))
		}
	}
	return "", fs.ErrNotExist
}

// WaitForAttach waits until the kernel shows the disk.
func (a *byID) WaitForAttach(ctx context.Context, serial string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, a.wait)
	defer cancel()
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		p, err := a.find(serial)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return "", fmt.Errorf("disk %s: no device: %w", serial, ctx.Err())
		}
	}
}

// Node stages volumes.
type Node struct{ at Attacher }

// Stage links the device of a volume to target.
func (n *Node) Stage(ctx context.Context, serial, target string) error {
	dev, err := n.at.WaitForAttach(ctx, serial)
	if err != nil {
		return err
	}
	return os.Symlink(dev, target)
}
