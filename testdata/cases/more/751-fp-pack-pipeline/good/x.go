// Package good streams a snapshot of a tree through two programs.
package good

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Pipeline packs trees.
type Pipeline struct {
	pack, seal []string
	grace      time.Duration
}

// New makes a Pipeline of a packer and a sealer.
func New(pack, seal []string) *Pipeline {
	return &Pipeline{pack: pack, seal: seal, grace: 5 * time.Second}
}

func (p *Pipeline) command(ctx context.Context, argv []string, diag io.Writer) *exec.Cmd {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Stderr = diag
	c.WaitDelay = p.grace
	return c
}

// Snapshot writes the sealed pack of dir to w.
func (p *Pipeline) Snapshot(ctx context.Context, dir string, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var d1, d2 bytes.Buffer
	first := p.command(ctx, p.pack, &d1)
	first.Dir = dir
	second := p.command(ctx, p.seal, &d2)
	second.Stdout = w
	var err error
	if second.Stdin, err = first.StdoutPipe(); err != nil {
		return err
	}
	if err := second.Start(); err != nil {
		return err
	}
	if err := first.Start(); err != nil {
		cancel()
		return errors.Join(err, second.Wait())
	}
	err2 := second.Wait()
	if err2 != nil {
		cancel()
	}
	err1 := first.Wait()
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("snapshot of %s: %w (%s %s)", dir, err, d1.String(), d2.String())
	}
	return nil
}
