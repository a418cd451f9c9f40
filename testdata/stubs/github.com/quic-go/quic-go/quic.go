// Package quic has the few signatures of github.com/quic-go/quic-go that the READMEs' programs use.
package quic

import (
	"context"
	"time"
)

type (
	Conn   struct{}
	Stream struct{}
)

func (*Conn) AcceptStream(ctx context.Context) (*Stream, error) { return nil, nil }

func (*Stream) Read(p []byte) (int, error)         { return 0, nil }
func (*Stream) Write(p []byte) (int, error)        { return 0, nil }
func (*Stream) Close() error                       { return nil }
func (*Stream) SetDeadline(t time.Time) error      { return nil }
func (*Stream) SetReadDeadline(t time.Time) error  { return nil }
func (*Stream) SetWriteDeadline(t time.Time) error { return nil }
