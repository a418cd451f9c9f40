package nodes

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"
)

type Node struct {
	Name string
	DSN  string
	db   *sql.DB
	up   bool
}

// Cluster checks its nodes in turn.
type Cluster struct {
	nodes []*Node
	limit time.Duration
	quit  chan struct{}
}

func NewCluster(limit time.Duration, nodes ...*Node) *Cluster {
	return &Cluster{nodes: nodes, limit: limit, quit: make(chan struct{})}
}

func (n *Node) open(driver string) error {
	if n.db != nil {
		return nil
	}
	db, err := sql.Open(driver, n.DSN)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(2)
	n.db = db
	return nil
}

func (n *Node) alive(limit time.Duration) error {
	if n.db == nil {
		return errors.New("not open")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return n.db.PingContext(ctx)
}

// Run checks every interval until Stop.
func (c *Cluster) Run(driver string, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		for _, n := range c.nodes {
			err := n.open(driver)
			if err == nil {
				err = n.alive(c.limit)
			}
			if n.up = err == nil; !n.up {
				slog.Warn("node down", "node", n.Name, "err", err)
			}
		}
		select {
		case <-tick.C:
		case <-c.quit:
			return
		}
	}
}

func (c *Cluster) Stop() { close(c.quit) }
