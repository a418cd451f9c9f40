package batch

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
)

type Part struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body,omitempty"`
}

type Answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body,omitempty"`
}

type Handler struct {
	inner http.Handler
	max   int
}

func New(inner http.Handler) *Handler { return &Handler{inner: inner, max: 20} }

func (h *Handler) build(p Part) (*http.Request, error) {
	var body io.Reader
	if len(p.Body) > 0 {
		body = bytes.NewReader(p.Body)
	}
	return http.NewRequest(p.Method, p.Path, body)
}

func (h *Handler) dispatch(outer *http.Request, p Part) Answer {
	req, err := h.build(p)
	if err != nil {
		return Answer{Status: http.StatusBadRequest}
	}
	req = req.WithContext(outer.Context())
	for _, k := range []string{"Authorization", "Accept-Language"} {
		if v := outer.Header.Get(k); v != "" {
			req.Header.Set(k, v)
		}
	}
	rec := httptest.NewRecorder()
	h.inner.ServeHTTP(rec, req)
	return Answer{Status: rec.Code, Body: rec.Body.Bytes()}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var parts []Part
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&parts); err != nil || len(parts) > h.max {
		http.Error(w, "bad batch", http.StatusBadRequest)
		return
	}
	answers := make([]Answer, len(parts))
	for i, p := range parts {
		if r.Context().Err() != nil {
			return
		}
		answers[i] = h.dispatch(r, p)
	}
	_ = json.NewEncoder(w).Encode(answers)
}
