package mirror

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

type Upstream interface {
	Versions(ctx context.Context, provider string) ([]string, error)
}

type service struct {
	up Upstream
}

func (s *service) versions(ctx context.Context, provider string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // ALT(budget)
	defer cancel()
	return s.up.Versions(ctx, provider)
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	vs, err := s.versions(r.Context(), r.PathValue("provider"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"versions": vs})
}

func routes(up Upstream) http.Handler {
	s := &service{up: up}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/mirror/{provider}/index.json", s.list)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}

type Config struct {
	Listen   string
	CertFile string
	KeyFile  string
}

// Serve runs the mirror's main server.
func Serve(cfg Config, up Upstream) error {
	server := &http.Server{
		Addr:         cfg.Listen,
		Handler:      routes(up),
		ReadTimeout:  5 * time.Second,
		WriteTimeout: 5 * time.Second, // BUG(budget)
	}
	if cfg.CertFile != "" {
		return server.ListenAndServeTLS(cfg.CertFile, cfg.KeyFile)
	}
	return server.ListenAndServe()
}
