package tlsdial

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"time"
)

var ErrPin = errors.New("certificate does not match pin")

// Pinned accepts servers by the hash of their key.
type Pinned struct {
	pins [][32]byte
	d    net.Dialer
}

func NewPinned(pins ...[32]byte) *Pinned {
	return &Pinned{pins: pins, d: net.Dialer{Timeout: 10 * time.Second}}
}

func (p *Pinned) match(st tls.ConnectionState) bool {
	for _, c := range st.PeerCertificates {
		sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
		for _, pin := range p.pins {
			if subtle.ConstantTimeCompare(sum[:], pin[:]) == 1 {
				return true
			}
		}
	}
	return false
}

func (p *Pinned) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	raw, err := p.d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(addr)
	conn := tls.Client(raw, &tls.Config{ServerName: host})
	if err := conn.Handshake(); err != nil { // BUG(noctx)
		raw.Close()
		return nil, err
	}
	if !p.match(conn.ConnectionState()) {
		conn.Close()
		return nil, ErrPin
	}
	return conn, nil
}

// Client makes an HTTP client whose connections are pinned.
func (p *Pinned) Client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialTLSContext: p.dial, MaxIdleConns: 16}}
}
