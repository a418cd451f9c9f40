// Package good serves the output of jobs while they run.
package good

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// Tail is an io.Reader over the lines that a job writes from now on.
type Tail struct {
	ctx   context.Context
	lines chan []byte
	rest  []byte
}

// Read implements io.Reader.
func (t *Tail) Read(p []byte) (int, error) {
	if len(t.rest) == 0 {
		select {
		case line, ok := <-t.lines:
			if !ok {
				return 0, io.EOF
			}
			t.rest = line
		case <-t.ctx.Done():
			return 0, t.ctx.Err()
		}
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// Journal collects the output of one job.
type Journal struct {
	mu     sync.Mutex
	tails  map[*Tail]struct{}
	closed bool
}

// NewJournal returns an empty journal.
func NewJournal() *Journal { return &Journal{tails: map[*Tail]struct{}{}} }

// Write hands a line to all who follow; whoever is behind misses it.
func (j *Journal) Write(line []byte) (int, error) {
	b := append([]byte(nil), line...)
	j.mu.Lock()
	defer j.mu.Unlock()
	for t := range j.tails {
		select {
		case t.lines <- b:
		default:
		}
	}
	return len(line), nil
}

// Close is called when the job has ended.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closed {
		j.closed = true
		for t := range j.tails {
			close(t.lines)
		}
		clear(j.tails)
	}
	return nil
}

// Follow starts a tail that ends with ctx.
func (j *Journal) Follow(ctx context.Context) *Tail {
	t := &Tail{ctx: ctx, lines: make(chan []byte, 256)}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		close(t.lines)
		return t
	}
	j.tails[t] = struct{}{}
	return t
}

// Leave ends a tail.
func (j *Journal) Leave(t *Tail) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.tails, t)
}

type flusher struct {
	w  io.Writer
	rc *http.ResponseController
}

func (f flusher) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err == nil {
		err = f.rc.Flush()
	}
	return n, err
}

// Logs serves the journals.
type Logs struct {
	Find func(job string) (*Journal, bool)
}

// ServeHTTP implements http.Handler.
func (l *Logs) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	j, ok := l.Find(r.PathValue("job"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	tail := j.Follow(r.Context())
	defer j.Leave(tail)

	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	out := flusher{w, http.NewResponseController(w)}
	_, _ = io.Copy(out, tail)
}
