//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// to is a client of a service in memory, which is told what is left.
func to(t *testing.T, h http.Handler, policy Policy, dialects ...Dialect) *http.Client {
	return &http.Client{Transport: &Transport{Base: serveInMemory(t, h), Policy: policy, SendTo: AnyHost, Headers: dialects}}
}

// callService sends a request of ctx, and returns the status.
func callService(ctx context.Context, c *http.Client) (int, string, error) {
	r, _ := http.NewRequestWithContext(ctx, "GET", "http://memory/", nil)
	resp, err := c.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all), err
}

// gateway is a reverse proxy in front of h, as the documentation of Transport has it: a Server, the proxy, a Transport.
func gateway(t *testing.T, server Server, h http.Handler) http.Handler {
	target, _ := url.Parse("http://memory")
	return server.Wrap(&httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(target) },
		Transport: &Transport{Base: serveInMemory(t, h), Policy: Policy{Reserve: 50 * time.Millisecond}, SendTo: AnyHost},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if errors.Is(err, context.DeadlineExceeded) {
				AnswerExpired(w, r, nil)
				return
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	})
}

// Three tiers over HTTP: each has what is left, less what the tiers above keep, and no tier works on after the caller's end.
func TestThreeTiers(t *testing.T) {
	for _, mix := range [][]Dialect{nil, {GRPCTimeout, ConnectTimeoutMs}, {XDeadline, DeadlineDate}, {UserverTimeoutMs, XDeadline}, {LeoTimeout, NexusTimeout}} {
		synctest.Test(t, func(t *testing.T) {
			read := []Dialect{XDeadlineMs, XDeadline, GRPCTimeout, ConnectTimeoutMs, DeadlineDate, UserverTimeoutMs, LeoTimeout, NexusTimeout}
			var ends []time.Time
			note := func(ctx context.Context) {
				end, _ := ctx.Deadline()
				ends = append(ends, end)
			}
			b := Server{Trust: Trusted, Default: Internal, Max: Batch, Headers: read, Skew: time.Second, Reserve: 10 * time.Millisecond}.Wrap(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					note(r.Context())
					<-r.Context().Done()
				}))
			var last []Dialect
			if len(mix) > 0 {
				last = mix[1:]
			}
			toB := to(t, b, Policy{Reserve: 20 * time.Millisecond}, last...)
			a := Server{Trust: Trusted, Default: Internal, Max: Batch, Headers: read, Skew: time.Second}.Wrap(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					note(r.Context())
					time.Sleep(300 * time.Millisecond) // its own work counts
					status, _, err := callService(r.Context(), toB)
					if errors.Is(err, context.DeadlineExceeded) {
						status = http.StatusGatewayTimeout
					}
					w.WriteHeader(status)
				}))
			edge := &Transport{Base: serveInMemory(t, a), SendTo: AnyHost}
			if len(mix) > 0 {
				edge.Headers = mix[:1]
			}
			client := &http.Client{Transport: edge, Timeout: 2*time.Second + 345*time.Microsecond}
			began := time.Now()
			status, _, err := callService(t.Context(), client)
			if status != 504 || err != nil || time.Since(began) >= client.Timeout {
				t.Errorf("%v: %d %v after %v", mix, status, err, time.Since(began))
			}
			if len(ends) != 2 || ends[0].After(began.Add(client.Timeout)) || ends[1].After(ends[0].Add(-30*time.Millisecond)) || ends[1].Before(began.Add(1900*time.Millisecond)) {
				t.Errorf("%v: deadlines %v after the beginning, %v of each other", mix, ends[0].Sub(began), ends[1].Sub(ends[0]))
			}
		})
	}
}

// A reverse proxy hands on what is left now, not what came in, and answers in time.
func TestReverseProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan []string, 1)
		backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			told <- r.Header["X-Deadline-Ms"]
			time.Sleep(time.Minute)
		})
		rt := serveInMemory(t, gateway(t, Server{}, backend))
		r, _ := http.NewRequestWithContext(t.Context(), "GET", "http://memory/", nil)
		r.Header["X-Deadline-Ms"] = []string{"3000", "9000"}
		began := time.Now()
		resp, err := rt.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if at := <-told; resp.StatusCode != 504 || !MarkedExpired(resp) || time.Since(began) != 2950*time.Millisecond || len(at) != 1 || at[0] != "2950" {
			t.Errorf("%d after %v, backend was told %v", resp.StatusCode, time.Since(began), at)
		}
		time.Sleep(time.Minute)
	})
}

// A stream through the proxy outlives the budget; the backend is told until when its first byte is due.
func TestReverseProxyStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if at := r.Header.Get("X-Deadline-Ms"); at != "5000" {
				t.Errorf("backend was told %q", at)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 4 {
				io.WriteString(w, strconv.Itoa(i))
				w.(http.Flusher).Flush()
				time.Sleep(9 * time.Second)
			}
		})
		server := Server{Default: 5 * time.Second, Stream: 10 * time.Second, Routes: []Route{{Pattern: "/stream", Stream: true}}}
		rt := serveInMemory(t, gateway(t, server, backend))
		if status, body, err := fetch(t, rt, "/stream"); status != 200 || body != "0123" || err != nil {
			t.Errorf("%d %q %v", status, body, err)
		}
	})
}

// A WebSocket's handshake goes through the proxy, and the connection after it has no deadline.
func TestReverseProxyUpgrade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, rw, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			rw.Flush()
			io.Copy(conn, rw)
		})
		server := Server{Default: 5 * time.Second, Routes: []Route{{Pattern: "/stream", Stream: true}}}
		rt := serveInMemory(t, gateway(t, server, backend))
		r, _ := http.NewRequestWithContext(t.Context(), "GET", "http://memory/stream", nil)
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "echo")
		resp, err := rt.RoundTrip(r)
		if err != nil || resp.StatusCode != 101 {
			t.Fatal(resp, err)
		}
		conn := resp.Body.(io.ReadWriteCloser)
		time.Sleep(5 * time.Minute)
		buf := make([]byte, 5)
		if _, err := io.WriteString(conn, "hello"); err != nil {
			t.Error(err)
		}
		if _, err := io.ReadFull(conn, buf); err != nil || string(buf) != "hello" {
			t.Errorf("%q %v", buf, err)
		}
		conn.Close()
		synctest.Wait()
	})
}

// http.Client.Timeout is seen as the request's deadline; the error of a body that is cut off says that it was the time.
func TestClientTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := ""
		client := to(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			told = r.Header.Get("X-Deadline-Ms")
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}), Policy{})
		client.Timeout = 3 * time.Second
		began := time.Now()
		status, body, err := callService(t.Context(), client)
		if status != 200 || body != "begun" || !errors.Is(err, context.DeadlineExceeded) || told != "3000" || time.Since(began) != client.Timeout {
			t.Errorf("%d %q %v after %v, told %q", status, body, err, time.Since(began), told)
		}
	})
}

// The same over TLS and HTTP/2, and the race detector: server and client as they are used.
func TestOverHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(Server{Default: Human, Trust: Trusted, Reserve: time.Millisecond}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		left, ok := Remaining(r.Context())
		if r.ProtoMajor != 2 || !ok || left > 10*time.Second {
			t.Errorf("%s, %v, %v", r.Proto, left, ok)
		}
		io.Copy(w, r.Body)
	})))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &Transport{Base: server.Client().Transport, SendTo: AnyHost}}
	done := make(chan error)
	for i := range 8 {
		go func() {
			for range 20 {
				r, _ := http.NewRequestWithContext(t.Context(), "POST", server.URL, io.LimitReader(http.NoBody, int64(i)))
				resp, err := client.Do(r)
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
