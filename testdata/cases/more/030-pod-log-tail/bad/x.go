package podlogs

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// Source opens the log of one container; the stream ends when it is closed.
type Source interface {
	Open(container string) (io.ReadCloser, error)
}

type Viewer struct {
	src Source
}

func NewViewer(s Source) *Viewer { return &Viewer{src: s} }

type sink struct {
	mu sync.Mutex
	w  io.Writer
	f  http.Flusher
}

func (s *sink) line(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.w, "%s | %s", name, text)
	s.f.Flush()
}

func (v *Viewer) follow(ctx context.Context, name string, rc io.ReadCloser, out *sink) {
	defer rc.Close()
	br := bufio.NewReader(rc)
	for {
		text, err := br.ReadString('\n') // ALT(deafctx) ALT(orphan)
		if err != nil {
			return
		}
		if ctx.Err() != nil {
			return
		}
		out.line(name, text)
	}
}

// Logs streams the logs of the named containers.
func (v *Viewer) Logs(w http.ResponseWriter, r *http.Request) {
	f, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "cannot stream", http.StatusNotImplemented)
		return
	}
	out := &sink{w: w, f: f}
	for _, name := range r.URL.Query()["container"] {
		rc, err := v.src.Open(name)
		if err != nil {
			out.line(name, err.Error()+"\n")
			continue
		}
		go v.follow(r.Context(), name, rc, out) // BUG(orphan)
	}
	<-r.Context().Done()
}
