package httpd

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Limits comes from the configuration file.
type Limits struct {
	Header, Read, Write, Idle time.Duration
}

func (l Limits) apply(s *http.Server) {
	s.ReadHeaderTimeout = cmp.Or(l.Header, 10*time.Second)
	s.ReadTimeout = l.Read
	s.WriteTimeout = l.Write
	s.IdleTimeout = cmp.Or(l.Idle, 2*time.Minute)
}

type Server struct {
	inner *http.Server
	ln    net.Listener
}

func Listen(addr string, h http.Handler, l Limits) (*Server, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{inner: &http.Server{Handler: h}, ln: ln}
	l.apply(s.inner)
	return s, nil
}

// Run serves until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
		defer cancel()
		stopped <- s.inner.Shutdown(sctx)
	}()
	if err := s.inner.Serve(s.ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
