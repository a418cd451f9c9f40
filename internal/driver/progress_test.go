package driver

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The line comes after two seconds, not before, and is wiped out at the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := startProgress(&out, 3)
		p.done()
		time.Sleep(quiet - time.Millisecond)
		synctest.Wait()
		if out.Len() > 0 {
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
