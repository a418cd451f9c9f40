// Package bad proposes changes to a replicated log.
package bad

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
)

// ErrStopped is returned when the node has been stopped.
var ErrStopped = errors.New("node stopped")

// Log is the consensus layer.
type Log interface {
	Propose(ctx context.Context, entry []byte) error
	Committed() <-chan []byte
}

type outcome struct {
	index uint64
	err   error
}

// Node applies committed entries.
type Node struct {
	log   Log
	apply func([]byte) error
	seq   atomic.Uint64
	stopc chan struct{}

	mu      sync.Mutex
	waiters map[uint64]chan outcome
}

// NewNode makes a Node; Run drives it.
func NewNode(l Log, apply func([]byte) error) *Node {
	return &Node{log: l, apply: apply, stopc: make(chan struct{}), waiters: map[uint64]chan outcome{}}
}

// Stop ends the node.
func (n *Node) Stop() { close(n.stopc) }

// Run applies entries until Stop.
func (n *Node) Run() {
	for {
		select {
		case <-n.stopc:
			return
		case e := <-n.log.Committed():
			id := binary.BigEndian.Uint64(e)
			err := n.apply(e[8:])
			n.mu.Lock()
			if w, ok := n.waiters[id]; ok {
				w <- outcome{id, err}
				delete(n.waiters, id)
			}
			n.mu.Unlock()
		}
	}
}

func (n *Node) register(id uint64) chan outcome {
	w := make(chan outcome, 1)
	n.mu.Lock()
	n.waiters[id] = w
	n.mu.Unlock()
	return w
}

// Change proposes data and waits until it is applied here.
func (n *Node) Change(ctx context.Context, data []byte) (uint64, error) {
	id := n.seq.Add(1)
	w := n.register(id)
	if err := n.log.Propose(ctx, append(binary.BigEndian.AppendUint64(nil, id), data...)); err != nil {
		n.forget(id)
		return 0, err
	}
	select { // BUG(deafwait)
	case o := <-w: // ALT(deafwait)
		return o.index, o.err
	case <-n.stopc: // ALT(deafwait)
		return 0, ErrStopped
	}
}

func (n *Node) forget(id uint64) {
	n.mu.Lock()
	delete(n.waiters, id)
	n.mu.Unlock()
}
