//go:build go1.25

package deadline

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// streaming is a server of one stream: 5 s to the first byte, 10 s of silence after it.
func streaming(n Observer, h http.HandlerFunc) http.Handler {
	return Server{
		Default: 5 * time.Second, Stream: 10 * time.Second, Observer: n,
		Routes: []Route{{Pattern: "/stream", Stream: true}},
	}.Wrap(h)
}

// fetch sends one request, and reads the answer to its end.
func fetch(t *testing.T, rt http.RoundTripper, path string) (status int, body string, err error) {
	t.Helper()
	return fetchBy(t, "GET", rt, path)
}

// fetchBy is fetch by another method: by POST, net/http does not quietly try again on a new connection.
func fetchBy(t *testing.T, method string, rt http.RoundTripper, path string) (status int, body string, err error) {
	t.Helper()
	r, _ := http.NewRequestWithContext(t.Context(), method, "http://memory"+path, nil)
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all), err
}

// The budget is for the first byte; after that a stream lasts as long as it is not silent, and the same connection serves the
// next request without a deadline left on it.
func TestStreamOutlivesTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := serveInMemory(t, streaming(nil, func(w http.ResponseWriter, r *http.Request) {
			if _, ok := r.Context().Deadline(); ok && r.URL.Path == "/stream" {
				t.Error("a stream has a deadline")
			}
			if r.URL.Path != "/stream" {
				time.Sleep(4 * time.Second)
				io.WriteString(w, "short")
				return
			}
			for range 5 {
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
				time.Sleep(9 * time.Second)
			}
			if err := r.Context().Err(); err != nil {
				t.Error(err, context.Cause(r.Context()))
			}
		}))
		began := time.Now()
		if status, body, err := fetch(t, rt, "/stream"); status != 200 || body != "xxxxx" || err != nil || time.Since(began) != 45*time.Second {
			t.Errorf("%d %q %v after %v", status, body, err, time.Since(began))
		}
		time.Sleep(20 * time.Second)
		if status, body, err := fetchBy(t, "POST", rt, "/other"); status != 200 || body != "short" || err != nil {
			t.Errorf("then %d %q %v", status, body, err)
		}
	})
}

func TestStreamFirstByteLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(record)
		rt := serveInMemory(t, streaming(n, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			if cause := context.Cause(r.Context()); !errors.Is(cause, Expired) || !errors.Is(cause, errNoFirstByte) || !errors.Is(cause, context.DeadlineExceeded) {
				t.Error(cause)
			}
			time.Sleep(time.Second)
		}))
		began := time.Now()
		status, _, err := fetch(t, rt, "/stream")
		if told := n.of(TimeWastedAfterDeadline); status != 504 || err != nil || time.Since(began) != 6*time.Second || len(told) != 1 || told[0].Time != time.Second {
			t.Errorf("%d %v after %v, told %v", status, err, time.Since(began), n.events)
		}
	})
}

// A silence ends the context, and what is written after it does not go out.
func TestStreamSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := serveInMemory(t, streaming(nil, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			began := time.Now()
			<-r.Context().Done()
			if cause := context.Cause(r.Context()); !errors.Is(cause, errSilent) || time.Since(began) != 10*time.Second {
				t.Error(cause, time.Since(began))
			}
			time.Sleep(time.Second)
			io.WriteString(w, "y")
			if err := http.NewResponseController(w).Flush(); err == nil {
				t.Error("written after the silence")
			}
		}))
		if status, body, err := fetch(t, rt, "/stream"); status != 200 || body != "x" || err == nil {
			t.Errorf("%d %q %v", status, body, err)
		}
	})
}

// A reader that stops reading does not hold the handler for longer than a silence.
func TestStreamReaderStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := make(chan time.Duration, 1)
		rt := serveInMemory(t, streaming(nil, func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			for {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
					back <- time.Since(began)
					return
				}
			}
		}))
		r, _ := http.NewRequestWithContext(t.Context(), "GET", "http://memory/stream", nil)
		resp, err := rt.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if took := <-back; took != 10*time.Second {
			t.Errorf("the handler was held for %v", took)
		}
		resp.Body.Close()
	})
}

// After a hijack the connection is the handler's: no deadline, and nothing written by us, however late.
func TestStreamHijack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(record)
		rt := serveInMemory(t, streaming(n, func(w http.ResponseWriter, r *http.Request) {
			conn, rw, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			rw.Flush()
			time.Sleep(time.Minute)
			line, _ := rw.ReadString('\n')
			rw.WriteString(line)
			rw.Flush()
		}))
		for _, path := range []string{"/stream", "/undeclared"} {
			r, _ := http.NewRequestWithContext(t.Context(), "GET", "http://memory"+path, nil)
			r.Header.Set("Connection", "Upgrade")
			r.Header.Set("Upgrade", "echo")
			resp, err := rt.RoundTrip(r)
			if err != nil || resp.StatusCode != 101 {
				t.Fatal(resp, err)
			}
			conn := resp.Body.(io.ReadWriteCloser)
			io.WriteString(conn, "hello\n")
			if line, err := bufio.NewReader(conn).ReadString('\n'); line != "hello\n" {
				t.Errorf("%s: %q %v", path, line, err)
			}
			conn.Close()
		}
	})
}

// A status below 200 is not the answer, so the first byte is still due.
func TestStreamEarlyHintsAreNoFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := serveInMemory(t, streaming(nil, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			<-r.Context().Done()
		}))
		if status, _, err := fetch(t, rt, "/stream"); status != 504 || err != nil {
			t.Errorf("%d %v", status, err)
		}
	})
}
