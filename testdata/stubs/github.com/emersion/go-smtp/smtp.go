// Package smtp has the few signatures of github.com/emersion/go-smtp that the READMEs' programs use.
package smtp

import "time"

type (
	Backend interface{ NewSession() error }
	Server  struct {
		Addr, Domain              string
		ReadTimeout, WriteTimeout time.Duration
	}
)

func NewServer(be Backend) *Server { return &Server{} }

func (*Server) ListenAndServe() error { return nil }
