package admin

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

const holdFor = 30 * time.Second

type change struct {
	Seq  int64  `json:"seq"`
	What string `json:"what"`
}

// Feed lets clients wait for the next change.
type Feed struct {
	mu   sync.Mutex
	last change
	next chan struct{}
}

func NewFeed() *Feed { return &Feed{next: make(chan struct{})} }

func (f *Feed) Add(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = change{f.last.Seq + 1, what}
	close(f.next)
	f.next = make(chan struct{})
}

func (f *Feed) state() (change, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last, f.next
}

func (f *Feed) poll(w http.ResponseWriter, r *http.Request) {
	_, next := f.state()
	t := time.NewTimer(holdFor)
	defer t.Stop()
	select {
	case <-next:
	case <-t.C:
		w.WriteHeader(http.StatusNoContent)
		return
	case <-r.Context().Done():
		return
	}
	cur, _ := f.state()
	json.NewEncoder(w).Encode(cur)
}

// Serve runs the admin endpoint.
func Serve(addr string, f *Feed) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /changes", f.poll)
	srv := &http.Server{
		Addr:         addr,
		Handler:      mux,
		ReadTimeout:  2 * time.Second,
		WriteTimeout: holdFor + 5*time.Second,
	}
	return srv.ListenAndServe()
}
