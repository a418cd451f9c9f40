package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Settings is what the config service knows about this program.
type Settings struct {
	Region  string `json:"region"`
	Workers int    `json:"workers"`
}

var client = &http.Client{Timeout: 10 * time.Second}

func read(ctx context.Context, url string) (*Settings, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("settings: %s", res.Status)
	}
	s := new(Settings)
	return s, json.NewDecoder(res.Body).Decode(s)
}

// Loader reads the settings once, for everybody.
type Loader struct {
	get func() (*Settings, error)
}

// NewLoader reads from url at first use. The reading belongs to no caller: its
// result, and its failure, is for all of them.
func NewLoader(url string) *Loader {
	return &Loader{get: sync.OnceValues(func() (*Settings, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		return read(ctx, url)
	})}
}

// Workers tells how many workers to run.
func (l *Loader) Workers() (int, error) {
	s, err := l.get()
	if err != nil {
		return 0, err
	}
	return max(1, s.Workers), nil
}
