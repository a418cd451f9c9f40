package lists

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"
)

type api interface {
	fetch(list string) ([]byte, error)
}

type netAPI struct {
	client *http.Client
	base   string
}

type Option func(*netAPI)

func WithClient(c *http.Client) Option { return func(a *netAPI) { a.client = c } }

func newAPI(base string, opts ...Option) *netAPI {
	a := &netAPI{base: base, client: &http.Client{Timeout: time.Minute}}
	for _, o := range opts {
		o(a)
	}
	return a
}

func (a *netAPI) fetch(list string) ([]byte, error) {
	body, err := json.Marshal(map[string]string{"list": list})
	if err != nil {
		return nil, err
	}
	resp, err := a.client.Post(a.base+"/fetch", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, 64<<20))
}

// Updater renews lists until stopped.
type Updater struct {
	api   api
	lists []string
	stop  chan struct{}
	keep  func(list string, data []byte)
}

func NewUpdater(base string, lists []string, keep func(string, []byte)) *Updater {
	return &Updater{api: newAPI(base), lists: lists, stop: make(chan struct{}), keep: keep}
}

func (u *Updater) Close() { close(u.stop) }

func (u *Updater) Run(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-u.stop:
			return
		case <-t.C:
		}
		for _, l := range u.lists {
			data, err := u.api.fetch(l)
			if err != nil {
				log.Printf("list %s: %v", l, err)
				continue
			}
			u.keep(l, data)
		}
	}
}
