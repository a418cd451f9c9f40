// Package good relays lines from a device to whoever has asked for them.
package good

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"sync"
)

// Feed is an open connection to a device.
type Feed struct {
	conn   net.Conn
	lines  chan string
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu  sync.Mutex
	err error
}

// Open connects to the device at addr. The feed ends with ctx or with Close.
func Open(ctx context.Context, addr string) (*Feed, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("device %s: %w", addr, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	f := &Feed{conn: conn, lines: make(chan string), cancel: cancel}
	f.wg.Add(2)
	go f.closer(ctx)
	go f.reader(ctx)
	return f, nil
}

func (f *Feed) closer(ctx context.Context) {
	defer f.wg.Done()
	<-ctx.Done()
	_ = f.conn.Close()
}

func (f *Feed) reader(ctx context.Context) {
	defer f.wg.Done()
	defer f.cancel()
	defer close(f.lines)
	sc := bufio.NewScanner(f.conn)
	for sc.Scan() {
		select {
		case f.lines <- sc.Text():
		case <-ctx.Done():
			return
		}
	}
	f.mu.Lock()
	f.err = sc.Err()
	f.mu.Unlock()
}

// Next returns the next line; ok is false at the end of the feed.
func (f *Feed) Next(ctx context.Context) (line string, ok bool, err error) {
	select {
	case line, ok = <-f.lines:
		return line, ok, nil
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
}

// Err returns why the feed has ended.
func (f *Feed) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Close ends the feed and its goroutines.
func (f *Feed) Close() error {
	f.cancel()
	f.wg.Wait()
	return f.Err()
}

// First returns the first n lines of a device.
func First(ctx context.Context, addr string, n int) ([]string, error) {
	f, err := Open(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	for len(lines) < n {
		line, ok, err := f.Next(ctx)
		if err != nil {
			return lines, err
		}
		if !ok {
			return lines, f.Err()
		}
		lines = append(lines, line)
	}
	return lines, nil
}
