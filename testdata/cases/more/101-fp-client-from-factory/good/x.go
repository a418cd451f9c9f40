package geoip

import (
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

type getter interface {
	Get(url string) (*http.Response, error)
}

func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	t.MaxIdleConnsPerHost = 2
	return t
}

func newGetter(limit time.Duration) getter {
	c := &http.Client{Transport: transport()}
	c.Timeout = limit
	return c
}

// DB is a database that renews itself.
type DB struct {
	url  string
	g    getter
	data atomic.Pointer[[]byte]
	quit chan struct{}
}

func Open(url string) *DB {
	db := &DB{url: url, g: newGetter(2 * time.Minute), quit: make(chan struct{})}
	go db.keep(24 * time.Hour)
	return db
}

func (db *DB) Close() { close(db.quit) }

func (db *DB) keep(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		if b, err := db.download(); err == nil {
			db.data.Store(&b)
		}
		select {
		case <-t.C:
		case <-db.quit:
			return
		}
	}
}

func (db *DB) download() ([]byte, error) {
	resp, err := db.g.Get(db.url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	return io.ReadAll(resp.Body)
}
