package ensemble

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"strings"
	"time"
)

const perServer = 5 * time.Second

type sink func(server string, fields map[string]string)

type Input struct {
	Servers  []string
	Interval time.Duration
	stop     chan struct{}
}

func New(servers []string) *Input {
	return &Input{Servers: servers, Interval: 10 * time.Second, stop: make(chan struct{})}
}

func (i *Input) Stop() { close(i.stop) }

// Start gathers until Stop.
func (i *Input) Start(out sink) {
	go func() {
		t := time.NewTicker(i.Interval)
		defer t.Stop()
		for {
			select {
			case <-i.stop:
				return
			case <-t.C:
			}
			for _, s := range i.Servers {
				if err := i.gather(s, out); err != nil {
					log.Printf("%s: %v", s, err)
				}
			}
		}
	}()
}

func (i *Input) gather(server string, out sink) error {
	conn, err := net.DialTimeout("tcp", server, perServer)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(perServer)); err != nil {
		return err
	}
	fields, err := mntr(conn)
	if err != nil {
		return err
	}
	out(server, fields)
	return nil
}

func mntr(conn net.Conn) (map[string]string, error) {
	if _, err := fmt.Fprintln(conn, "mntr"); err != nil {
		return nil, err
	}
	fields := map[string]string{}
	sc := bufio.NewScanner(conn)
	for sc.Scan() {
		if k, v, ok := strings.Cut(sc.Text(), "\t"); ok {
			fields[k] = v
		}
	}
	return fields, sc.Err()
}
