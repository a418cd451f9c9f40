package connectproxy

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

const handshakeTimeout = 30 * time.Second

// Dialer reaches hosts through an HTTP proxy.
type Dialer struct {
	proxy  *url.URL
	direct net.Dialer
	header http.Header
}

// New tunnels through proxy.
func New(proxy *url.URL) *Dialer {
	return &Dialer{proxy: proxy, header: http.Header{"User-Agent": {"tunnel"}}}
}

// DialContext opens a tunnel to addr.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := d.direct.DialContext(ctx, network, d.proxy.Host)
	if err != nil {
		return nil, err
	}
	if err := d.tunnel(ctx, conn, addr); err != nil { // ALT(fixedtimeout)
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func (d *Dialer) tunnel(ctx context.Context, conn net.Conn, addr string) error {
	if err := conn.SetDeadline(time.Now().Add(handshakeTimeout)); err != nil { // BUG(fixedtimeout) ALT(deafctx)
		return err
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: d.header}
	if err := req.Write(conn); err != nil {
		return err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), req.WithContext(ctx))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("proxy: %s", res.Status)
	}
	return conn.SetDeadline(time.Time{})
}
