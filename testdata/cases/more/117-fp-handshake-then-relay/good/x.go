package relay

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// Relay forwards connections to the target named in their first line.
type Relay struct {
	allow func(string) bool
	hello time.Duration
}

func New(allow func(string) bool) *Relay { return &Relay{allow: allow, hello: 5 * time.Second} }

func (r *Relay) greet(c net.Conn) (*bufio.Reader, string, error) {
	if err := c.SetDeadline(time.Now().Add(r.hello)); err != nil {
		return nil, "", err
	}
	br := bufio.NewReaderSize(c, 1024)
	line, err := br.ReadString('\n')
	if err != nil {
		return nil, "", err
	}
	target := strings.TrimSpace(line)
	if !r.allow(target) {
		return nil, "", fmt.Errorf("target %q refused", target)
	}
	return br, target, c.SetDeadline(time.Time{})
}

func (r *Relay) handle(c net.Conn) error {
	defer c.Close()
	br, target, err := r.greet(c)
	if err != nil {
		return err
	}
	up, err := net.DialTimeout("tcp", target, 10*time.Second)
	if err != nil {
		return err
	}
	defer up.Close()
	ends := make(chan error, 2)
	go func() { _, err := io.Copy(up, br); ends <- err }()
	go func() { _, err := io.Copy(c, up); ends <- err }()
	return <-ends
}

// Serve relays until the listener is closed.
func (r *Relay) Serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go r.handle(c)
	}
}
