// Package good reads registers of field devices over TCP.
package good

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

const (
	dialCap     = 3 * time.Second
	exchangeCap = 2 * time.Second
)

// until returns the earlier of ctx's deadline and limit from now.
func until(ctx context.Context, limit time.Duration) time.Time {
	t := time.Now().Add(limit)
	if d, ok := ctx.Deadline(); ok && d.Before(t) {
		return d
	}
	return t
}

// Device is one unit; it allows one request at a time.
type Device struct {
	addr string
	unit byte
	turn chan struct{}

	mu   sync.Mutex
	conn net.Conn
	seq  uint16
}

// NewDevice returns the unit behind addr.
func NewDevice(addr string, unit byte) *Device {
	return &Device{addr: addr, unit: unit, turn: make(chan struct{}, 1)}
}

// Holding returns n holding registers.
func (d *Device) Holding(ctx context.Context, start, n uint16) ([]uint16, error) {
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-d.turn }()

	conn, err := d.connection(ctx)
	if err != nil {
		return nil, err
	}
	body := binary.BigEndian.AppendUint16([]byte{3}, start)
	raw, err := d.exchange(ctx, conn, binary.BigEndian.AppendUint16(body, n))
	if err != nil {
		d.drop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("unit %d at %s: %w", d.unit, d.addr, err)
	}
	if len(raw) != 2+2*int(n) {
		d.drop()
		return nil, fmt.Errorf("unit %d at %s: %d bytes", d.unit, d.addr, len(raw))
	}
	regs := make([]uint16, n)
	for i := range regs {
		regs[i] = binary.BigEndian.Uint16(raw[2+2*i:])
	}
	return regs, nil
}

func (d *Device) exchange(ctx context.Context, conn net.Conn, body []byte) ([]byte, error) {
	if err := conn.SetDeadline(until(ctx, exchangeCap)); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	d.seq++
	frame := binary.BigEndian.AppendUint16(nil, d.seq)
	frame = binary.BigEndian.AppendUint16(frame, 0)
	frame = binary.BigEndian.AppendUint16(frame, uint16(len(body)+1))
	frame = append(append(frame, d.unit), body...)
	if _, err := conn.Write(frame); err != nil {
		return nil, err
	}
	var head [7]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return nil, err
	}
	if binary.BigEndian.Uint16(head[:]) != d.seq {
		return nil, errors.New("answer to another request")
	}
	size := int(binary.BigEndian.Uint16(head[4:])) - 1
	if size < 2 || size > 253 {
		return nil, fmt.Errorf("frame of %d bytes", size)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(conn, raw); err != nil {
		return nil, err
	}
	if !stop() {
		return nil, context.Cause(ctx)
	}
	return raw, nil
}

func (d *Device) connection(ctx context.Context) (net.Conn, error) {
	d.mu.Lock()
	conn := d.conn
	d.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	dialer := net.Dialer{Timeout: dialCap}
	conn, err := dialer.DialContext(ctx, "tcp", d.addr)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.conn = conn
	d.mu.Unlock()
	return conn, nil
}

func (d *Device) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn != nil {
		d.conn.Close()
		d.conn = nil
	}
}
