package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// Result is what a script left.
type Result struct {
	Output []byte
	Took   time.Duration
}

// Shell runs scripts.
type Shell struct {
	path  string
	grace time.Duration
}

// NewShell runs scripts with the shell at path.
func NewShell(path string) *Shell { return &Shell{path: path, grace: 5 * time.Second} }

// killGroup ends the whole group, first kindly. CommandContext would end only
// the shell and leave what it started.
func (s *Shell) killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGTERM)
	time.AfterFunc(s.grace, func() { _ = syscall.Kill(-pid, syscall.SIGKILL) })
}

// Run runs one script until it ends or ctx does.
func (s *Shell) Run(ctx context.Context, script string) (*Result, error) {
	cmd := exec.Command(s.path, "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 2 * s.grace
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { s.killGroup(cmd.Process.Pid) })
	err := cmd.Wait()
	if !stop() {
		return nil, errors.Join(context.Cause(ctx), err)
	}
	if err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	return &Result{Output: out.Bytes(), Took: time.Since(began)}, nil
}
