package driver

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// screen is a terminal that two goroutines may use.
type screen struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// The line comes after two seconds, not before, and is wiped out at the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out screen
		p := startProgress(&out, 3)
		p.done()
		time.Sleep(quiet - time.Millisecond)
		synctest.Wait()
		if out.String() != "" {
			t.Errorf("too early: %q", &out)
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		if out.String() != "\rdoneby: 1 of 3 packages" {
			t.Errorf("after two seconds: %q", &out)
		}
		p.stop()
		if !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("left on the terminal: %q", &out)
		}
	})
	startProgress(nil, 3).stop() // no terminal, no line
}
