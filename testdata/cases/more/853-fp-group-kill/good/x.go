// Package good runs the build steps of a CI agent.
package good

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const drainDelay = 3 * time.Second

// Step is one command of a build.
type Step struct {
	Name  string
	Shell string
	Env   []string
	Limit time.Duration
}

// Result is what a step left behind.
type Result struct {
	Step     string
	ExitCode int
	Tail     []byte
	Took     time.Duration
}

// Agent runs the steps of one build at a time.
type Agent struct {
	Workspace string
	Log       io.Writer
}

// Build runs the steps until one fails.
func (a *Agent) Build(ctx context.Context, steps []Step) ([]Result, error) {
	var done []Result
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		res, err := a.step(ctx, s)
		if err != nil {
			return done, fmt.Errorf("step %s: %w", s.Name, err)
		}
		done = append(done, res)
		if res.ExitCode != 0 {
			break
		}
	}
	return done, nil
}

func (a *Agent) step(ctx context.Context, s Step) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	tail := &ring{max: 4 << 10}
	cmd := a.command(s, tail)
	began := time.Now()
	err := runGroup(ctx, cmd)
	res := Result{Step: s.Name, Tail: tail.buf.Bytes(), Took: time.Since(began)}
	if ctx.Err() != nil {
		return res, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		res.ExitCode = exit.ExitCode()
		return res, nil
	}
	return res, err
}

func (a *Agent) command(s Step, tail io.Writer) *exec.Cmd {
	out := io.MultiWriter(a.Log, tail)
	cmd := exec.Command("/bin/sh", "-ec", s.Shell)
	cmd.Dir = a.Workspace
	cmd.Env = append(os.Environ(), s.Env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = drainDelay
	return cmd
}

// runGroup runs cmd, which leads its own process group. The group as a whole
// is killed when ctx ends; what the shell has started would outlive the shell.
func runGroup(ctx context.Context, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			log.Printf("kill group %d: %v", cmd.Process.Pid, err)
		}
	})
	defer stop()
	return cmd.Wait()
}

// ring keeps the end of what is written to it.
type ring struct {
	max int
	buf bytes.Buffer
}

// Write implements io.Writer.
func (r *ring) Write(p []byte) (int, error) {
	r.buf.Write(p)
	if over := r.buf.Len() - r.max; over > 0 {
		r.buf.Next(over)
	}
	return len(p), nil
}
