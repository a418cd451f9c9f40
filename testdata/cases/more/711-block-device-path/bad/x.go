// Package bad mounts volumes on a node.
package bad

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
func (a *byID) WaitForAttach(_ context.Context, serial string) (string, error) { // BUG(deafctx)
	deadline := time.Now().Add(a.wait)
	for time.Now().Before(deadline) {
		p, err := a.find(serial)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		time.Sleep(time.Second) // ALT(deafctx) ALT(blindretry) ALT(deafwait)
	}
	return "", fmt.Errorf("disk %s: no device", serial)
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
