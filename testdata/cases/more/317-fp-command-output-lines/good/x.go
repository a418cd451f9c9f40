package lines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Tool is a program that prints what it does.
type Tool struct {
	Path string
	Args []string
}

type tail struct {
	mu    sync.Mutex
	lines []string
}

func (t *tail) keep(r io.Reader) {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		t.mu.Lock()
		if len(t.lines) == 20 {
			t.lines = t.lines[1:]
		}
		t.lines = append(t.lines, sc.Text())
		t.mu.Unlock()
	}
	_, _ = io.Copy(io.Discard, r)
}

// Run hands every line of output to fn.
func (t Tool) Run(ctx context.Context, fn func(string)) error {
	cmd := exec.CommandContext(ctx, t.Path, t.Args...)
	cmd.WaitDelay = 3 * time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	pr, pw := io.Pipe()
	cmd.Stderr = pw
	var last tail
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		last.keep(pr)
	}()
	if err := cmd.Start(); err != nil {
		pw.Close()
		<-kept
		return err
	}
	defer context.AfterFunc(ctx, func() { stdout.Close() })()
	sc := bufio.NewScanner(stdout)
	for sc.Scan() {
		fn(sc.Text())
	}
	err = cmd.Wait()
	pw.Close()
	<-kept
	if err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%s: %w: %s", t.Path, err, strings.Join(last.lines, "; ")))
	}
	return sc.Err()
}
