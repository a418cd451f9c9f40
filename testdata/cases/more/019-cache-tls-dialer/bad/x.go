package cache

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

type Settings struct {
	Addr        string
	Secure      bool
	DialTimeout time.Duration
	ServerName  string
}

func (s *Settings) defaults() {
	if s.DialTimeout == 0 {
		s.DialTimeout = 5 * time.Second
	}
}

func (s Settings) dialer() func(ctx context.Context, network, addr string) (net.Conn, error) {
	nd := &net.Dialer{Timeout: s.DialTimeout, KeepAlive: 5 * time.Minute}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if !s.Secure {
			return nd.DialContext(ctx, network, addr)
		}
		cfg := &tls.Config{ServerName: s.ServerName, MinVersion: tls.VersionTLS12}
		return tls.DialWithDialer(nd, network, addr, cfg) // BUG(fixedtimeout) ALT(noctx)
	}
}

// Open makes the shared client.
func Open(s Settings) redis.UniversalClient {
	s.defaults()
	return redis.NewClient(&redis.Options{
		Addr:            s.Addr,
		Dialer:          s.dialer(),
		ReadTimeout:     3 * time.Second,
		WriteTimeout:    3 * time.Second,
		MaxRetryBackoff: 250 * time.Millisecond,
	})
}
