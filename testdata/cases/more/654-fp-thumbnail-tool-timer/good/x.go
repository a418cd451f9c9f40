// Package thumbs makes previews with an external program.
package thumbs

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"sync/atomic"
	"time"
)

var ErrSlow = errors.New("thumbs: took too long")

// Maker runs the program for files from a spool.
type Maker struct {
	Program string
	Limit   time.Duration
	Spool   <-chan string
}

func (m *Maker) run(args ...string) error {
	var msg bytes.Buffer
	cmd := exec.Command(m.Program, args...)
	cmd.Stderr = &msg
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	var slow atomic.Bool
	t := time.AfterFunc(m.Limit, func() {
		slow.Store(true)
		cmd.Process.Kill()
	})
	defer t.Stop()
	if err := cmd.Wait(); err != nil {
		if slow.Load() {
			return ErrSlow
		}
		return fmt.Errorf("%s: %w: %s", m.Program, err, bytes.TrimSpace(msg.Bytes()))
	}
	return nil
}

// Work makes previews until the spool is closed.
func (m *Maker) Work(failed func(file string, err error)) {
	for file := range m.Spool {
		if err := m.run("-i", file, "-o", file+".jpg"); err != nil {
			failed(file, err)
		}
	}
}
