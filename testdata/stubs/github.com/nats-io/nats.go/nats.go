// Package nats has the few signatures of github.com/nats-io/nats.go that the READMEs' programs use.
package nats

import "context"

type (
	Conn   struct{}
	Header map[string][]string
	Msg    struct {
		Subject string
		Header  Header
		Data    []byte
	}
)

func (h Header) Get(key string) string { return "" }
func (h Header) Set(key, value string) {}

func NewMsg(subject string) *Msg { return nil }

func (nc *Conn) RequestMsgWithContext(ctx context.Context, m *Msg) (*Msg, error) { return nil, nil }
