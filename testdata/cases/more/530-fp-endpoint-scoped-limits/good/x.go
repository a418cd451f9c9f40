package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

type Endpoint struct {
	Base string
	http *http.Client
}

func (e Endpoint) get(ctx context.Context, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.Base+path, nil)
	if err != nil {
		return err
	}
	resp, err := e.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s%s: %s", e.Base, path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

type Loader struct {
	endpoints []Endpoint
	pingFor   time.Duration
}

func NewLoader(bases ...string) *Loader {
	l := &Loader{pingFor: 2 * time.Second}
	for _, b := range bases {
		l.endpoints = append(l.endpoints, Endpoint{Base: b, http: &http.Client{}})
	}
	return l
}

func (l *Loader) pick(ctx context.Context) (Endpoint, error) {
	var errs []error
	for _, e := range l.endpoints {
		var state struct{ Ready bool }
		err := func() error {
			ctx, cancel := context.WithTimeout(ctx, l.pingFor)
			defer cancel()
			return e.get(ctx, "/ready", &state)
		}()
		if err == nil && state.Ready {
			return e, nil
		}
		if ctx.Err() != nil {
			return Endpoint{}, ctx.Err()
		}
		errs = append(errs, err)
	}
	return Endpoint{}, errors.Join(append(errs, errors.New("no endpoint is ready"))...)
}

// Load reads the whole catalog from the first endpoint that is ready.
func (l *Loader) Load(ctx context.Context) (map[string]string, error) {
	e, err := l.pick(ctx)
	if err != nil {
		return nil, err
	}
	items := map[string]string{}
	return items, e.get(ctx, "/catalog", &items)
}
