package hooks

import (
	"bytes"
	"fmt"
	"net/http"
	"time"
)

// Sender posts events to hooks.
type Sender struct {
	client *http.Client
	queue  chan event
}

type event struct {
	url  string
	body []byte
}

// Option changes a sender.
type Option func(*settings)

type settings struct {
	limit time.Duration
	room  int
	tr    http.RoundTripper
}

// WithTransport replaces the transport.
func WithTransport(tr http.RoundTripper) Option { return func(s *settings) { s.tr = tr } }

// WithRoom changes how many events may wait.
func WithRoom(n int) Option { return func(s *settings) { s.room = n } }

func defaults() settings {
	return settings{limit: 15 * time.Second, room: 100, tr: http.DefaultTransport}
}

// NewSender starts a sender.
func NewSender(opts ...Option) *Sender {
	set := defaults()
	for _, o := range opts {
		o(&set)
	}
	s := &Sender{queue: make(chan event, set.room), client: new(http.Client)}
	s.client.Transport = set.tr
	s.client.Timeout = set.limit
	go s.drain()
	return s
}

// Send queues an event, or tells that there is no room.
func (s *Sender) Send(url string, body []byte) error {
	select {
	case s.queue <- event{url, body}:
		return nil
	default:
		return fmt.Errorf("no room for an event to %s", url)
	}
}

func (s *Sender) drain() {
	for e := range s.queue {
		_ = s.post(e)
	}
}

func (s *Sender) post(e event) error {
	req, err := http.NewRequest(http.MethodPost, e.url, bytes.NewReader(e.body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
