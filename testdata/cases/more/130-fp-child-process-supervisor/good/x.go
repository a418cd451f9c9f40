package child

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// Process is a running helper.
type Process struct {
	cmd    *exec.Cmd
	exited chan struct{}
	err    error
	grace  time.Duration
}

func Start(ctx context.Context, logs io.Writer, path string, args ...string) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// the helper outlives the request that needed it first
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = logs, logs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, exited: make(chan struct{}), grace: 5 * time.Second}
	go func() {
		p.err = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// Exited is closed when the helper is gone.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Stop ends the helper, by force if ctx or the grace period ends first.
func (p *Process) Stop(ctx context.Context) error {
	if err := p.cmd.Process.Signal(os.Interrupt); errors.Is(err, os.ErrProcessDone) {
		<-p.exited
		return p.err
	}
	t := time.NewTimer(p.grace)
	defer t.Stop()
	select {
	case <-p.exited:
		return p.err
	case <-t.C:
	case <-ctx.Done():
	}
	p.cmd.Process.Kill()
	<-p.exited
	return p.err
}
