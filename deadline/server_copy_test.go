//go:build go1.25

package deadline

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// A file comes through as it is, of each length around that by which net/http finds out what it is, on a connection to which
// the kernel could send it, and with the type that net/http finds without a Server too.
func TestServerCopies(t *testing.T) {
	for _, size := range []int{0, 1, sniffed - 1, sniffed, sniffed + 1, 2 * sniffed, 1 << 20} {
		want := bytes.Repeat([]byte("<html>"), size/6+1)[:size]
		name := filepath.Join(t.TempDir(), "page")
		if err := os.WriteFile(name, want, 0o600); err != nil {
			t.Fatal(err)
		}
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			file, err := os.Open(name)
			if err != nil {
				t.Error(err)
				return
			}
			defer file.Close()
			if n, err := io.Copy(w, file); err != nil || n != int64(size) {
				t.Errorf("%d: copied %d, %v", size, n, err)
			}
		})
		var types []string
		for _, h := range []http.Handler{handler, Server{}.Wrap(handler), Server{Routes: []Route{{Pattern: "/", Stream: true}}}.Wrap(handler)} {
			server := httptest.NewServer(h)
			resp, err := server.Client().Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d: got %d bytes, %v", size, len(got), err)
			}
			types = append(types, resp.Header.Get("Content-Type"))
			server.Close()
		}
		if types[1] != types[0] || types[2] != types[0] {
			t.Errorf("%d: content types %q", size, types)
		}
	}
}

// A handler that does not listen is cut off by an http.TimeoutHandler within the Server, which is given the time left.
func TestServerHard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deafHandler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Minute)
			io.WriteString(w, "too late")
		})
		hard := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			left, _ := Remaining(r.Context())
			http.TimeoutHandler(deafHandler, left, "cut off").ServeHTTP(w, r)
		})
		w, began := httptest.NewRecorder(), time.Now()
		Server{Default: 5 * time.Second}.Wrap(hard).ServeHTTP(w, asking("X-Deadline-Ms: 3000"))
		if took := time.Since(began); w.Code != http.StatusServiceUnavailable || w.Body.String() != "cut off" || took != 3*time.Second {
			t.Errorf("%d %q after %v", w.Code, w.Body, took)
		}
		time.Sleep(time.Minute) // the handler goes on all the same
	})
}
