package webhook

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

var ErrStopped = errors.New("sender stopped")

type delivery struct {
	url  string
	body []byte
}

// Sender delivers hooks in the background.
type Sender struct {
	hc    *http.Client
	queue chan delivery
	quit  chan struct{}
	wg    sync.WaitGroup
}

func NewSender(workers int) *Sender {
	s := &Sender{
		hc:    &http.Client{Timeout: 10 * time.Second},
		queue: make(chan delivery, 1000),
		quit:  make(chan struct{}),
	}
	for range workers {
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			s.work()
		}()
	}
	return s
}

// Enqueue never blocks.
func (s *Sender) Enqueue(url string, body []byte) bool {
	select {
	case s.queue <- delivery{url, body}:
		return true
	default:
		return false
	}
}

func (s *Sender) work() {
	for {
		select {
		case d := <-s.queue:
			if err := s.deliver(d); err != nil {
				slog.Warn("hook not delivered", "url", d.url, "err", err)
			}
		case <-s.quit:
			return
		}
	}
}

func (s *Sender) deliver(d delivery) (err error) {
	for n := 0; n < 6; n++ {
		if n > 0 && !s.pause(time.Second<<n) {
			return errors.Join(err, ErrStopped)
		}
		var resp *http.Response
		resp, err = s.hc.Post(d.url, "application/json", bytes.NewReader(d.body))
		if err != nil {
			continue
		}
		resp.Body.Close()
		if resp.StatusCode < 500 {
			return nil
		}
		err = errors.New(resp.Status)
	}
	return err
}

func (s *Sender) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-s.quit:
		return false
	}
}

// Stop ends the workers; what is queued is lost.
func (s *Sender) Stop() {
	close(s.quit)
	s.wg.Wait()
}
