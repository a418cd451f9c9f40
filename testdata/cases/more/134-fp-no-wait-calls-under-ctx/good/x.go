package boot

import (
	"context"
	"crypto/tls"
	"database/sql"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"time"
)

type Config struct {
	Addr, Cert, Key, DSN, Driver, Ready string
	Allow                               []string
}

type Node struct {
	ln    net.Listener
	db    *sql.DB
	allow []netip.Prefix
	git   string
}

// Prepare opens what the node needs; nothing here talks to anybody yet.
func Prepare(ctx context.Context, c Config) (*Node, error) {
	n := new(Node)
	for _, s := range c.Allow {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, err
		}
		n.allow = append(n.allow, p)
	}
	pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, err
	}
	if n.git, err = exec.LookPath("git"); err != nil {
		return nil, err
	}
	if n.db, err = sql.Open(c.Driver, c.DSN); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", c.Addr)
	if err != nil {
		n.db.Close()
		return nil, err
	}
	n.ln = tls.NewListener(ln, &tls.Config{Certificates: []tls.Certificate{pair}})
	if err := os.WriteFile(c.Ready+".addr", []byte(ln.Addr().String()), 0o644); err != nil {
		n.Close()
		return nil, err
	}
	return n, n.announce(ctx, c.Ready)
}

func (n *Node) announce(ctx context.Context, url string) error {
	req, err := http.NewRequest(http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-Addr", n.ln.Addr().String())
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	resp, err := http.DefaultClient.Do(req.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("announce: %w", err)
	}
	log.Printf("announced: %s", resp.Status)
	return resp.Body.Close()
}

func (n *Node) Close() error {
	n.ln.Close()
	return n.db.Close()
}
