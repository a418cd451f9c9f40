//go:build go1.25

package deadline

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"testing"
	"time"
)

// What a handler and a client may do with HTTP, they may do through a Server and a Transport: early hints, flushes, trailers,
// deadlines of the connection; over HTTP/1.1 and over HTTP/2.
func TestServerPassesOn(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if err := control.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Errorf("%s: read deadline: %v", r.Proto, err)
		}
		if err := control.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Errorf("%s: write deadline: %v", r.Proto, err)
		}
		if err := control.EnableFullDuplex(); err != nil && r.ProtoMajor == 1 {
			t.Errorf("%s: full duplex: %v", r.Proto, err)
		}
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Set("Trailer", "X-Sum")
		io.WriteString(w, "first ")
		if err := control.Flush(); err != nil {
			t.Errorf("%s: flush: %v", r.Proto, err)
		}
		all, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("%s: %v", r.Proto, err)
		}
		w.Write(all)
		w.Header().Set("X-Sum", "42")
	})
	for _, second := range []bool{false, true} {
		server := httptest.NewUnstartedServer(Server{}.Wrap(handler))
		server.EnableHTTP2 = second
		server.StartTLS()
		var hints []int
		r, _ := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			Got1xxResponse: func(code int, h textproto.MIMEHeader) error { hints = append(hints, code); return nil },
		}), "POST", server.URL, io.LimitReader(neverEnding('x'), 3))
		client := &http.Client{Transport: &Transport{Base: server.Client().Transport, SendTo: AnyHost}, Timeout: time.Minute}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != "first xxx" || resp.Trailer.Get("X-Sum") != "42" || !slices.Equal(hints, []int{http.StatusEarlyHints}) {
			t.Errorf("%s: %q %v, trailer %v, early %v", resp.Proto, body, err, resp.Trailer, hints)
		}
		if (resp.ProtoMajor == 2) != second {
			t.Errorf("over %s", resp.Proto)
		}
		server.Close()
	}
}

// neverEnding is a source of one letter.
type neverEnding byte

func (n neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(n)
	}
	return len(p), nil
}

// A connection that a handler takes over on a route that is no stream is the handler's: nothing is written to it, though the
// handler comes back after its deadline.
func TestServerHijacked(t *testing.T) {
	server := httptest.NewServer(Server{Default: 20 * time.Millisecond}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		<-r.Context().Done()
		rw.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
		rw.Flush()
		conn.Close()
	})))
	defer server.Close()
	resp, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "ok" || resp.StatusCode != 200 {
		t.Errorf("%d %q %v", resp.StatusCode, body, err)
	}
}
