// Package background works off update requests of policies.
package background

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Request is one piece of work.
type Request struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Note  string `json:"note"`
	Tries int    `json:"tries"`
}

// API is the part of the control plane that is needed here.
type API struct {
	Base string
	HTTP *http.Client
}

func (a *API) put(ctx context.Context, path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, a.Base+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	res, err := a.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("put %s: %s", path, res.Status)
	}
	return nil
}

func setStatus(a *API, r Request, state, note string) error {
	r.State, r.Note = state, note
	return a.put(context.TODO(), "/updaterequests/"+r.Name+"/status", r) // BUG(detached)
}

func retryOrDrop(a *API, r Request, cause error) error {
	if r.Tries >= 3 {
		return setStatus(a, r, "Failed", cause.Error())
	}
	r.Tries++
	return setStatus(a, r, "Pending", cause.Error())
}

// Rule applies one policy rule.
type Rule interface {
	Apply(ctx context.Context, name string) error
}

// Controller works off requests.
type Controller struct {
	api   *API
	rules map[string]Rule
}

// Process handles one request; the queue calls it with the worker's context.
func (c *Controller) Process(ctx context.Context, r Request) error {
	rule, ok := c.rules[r.Name]
	if !ok {
		return setStatus(c.api, r, "Skip", "no such rule") // ALT(detached)
	}
	if err := rule.Apply(ctx, r.Name); err != nil {
		return retryOrDrop(c.api, r, err) // ALT(detached)
	}
	return setStatus(c.api, r, "Completed", "") // ALT(detached)
}
