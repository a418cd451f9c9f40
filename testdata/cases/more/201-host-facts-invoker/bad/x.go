package facts

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// invoker runs a program and gives what it printed.
type invoker interface {
	run(ctx context.Context, name string, args ...string) ([]byte, error)
}

type system struct {
	env []string
}

func (s system) run(ctx context.Context, name string, args ...string) ([]byte, error) { // ALT(deafctx)
	cmd := exec.Command(name, args...) // BUG(noctx)
	cmd.Env = s.env
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := cmd.Wait(); err != nil { // ALT(deafwait) ALT(noctx) ALT(deafctx)
		return out.Bytes(), fmt.Errorf("%s: %w", name, err)
	}
	return out.Bytes(), nil
}

// Collector asks the host about itself.
type Collector struct {
	inv     invoker
	refresh time.Duration
}

// NewCollector reads facts with the tools of the host.
func NewCollector(env []string) *Collector {
	return &Collector{inv: system{env: env}, refresh: time.Minute}
}

// Mounts lists what is mounted. A stale NFS server makes df stand still.
func (c *Collector) Mounts(ctx context.Context) ([]string, error) {
	out, err := c.inv.run(ctx, "df", "-P")
	if err != nil {
		return nil, err
	}
	var mounts []string
	for _, line := range strings.Split(string(out), "\n") {
		if f := strings.Fields(line); len(f) == 6 {
			mounts = append(mounts, f[5])
		}
	}
	return mounts, nil
}

// Kernel gives the release of the kernel.
func (c *Collector) Kernel(ctx context.Context) (string, error) {
	out, err := c.inv.run(ctx, "uname", "-r")
	return strings.TrimSpace(string(out)), err
}
