// Package fasthttp has the few signatures of github.com/valyala/fasthttp that the READMEs' programs use.
package fasthttp

import "time"

type RequestHandler func(ctx *RequestCtx)

type RequestCtx struct{}

func (*RequestCtx) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
func (*RequestCtx) Done() <-chan struct{}                   { return nil }
func (*RequestCtx) Err() error                              { return nil }
func (*RequestCtx) Value(key any) any                       { return nil }
func (*RequestCtx) SetStatusCode(code int)                  {}

type Server struct {
	Handler                                RequestHandler
	ReadTimeout, WriteTimeout, IdleTimeout time.Duration
}

func (*Server) ListenAndServe(addr string) error { return nil }

func ListenAndServe(addr string, handler RequestHandler) error { return nil }
func Get(dst []byte, url string) (code int, body []byte, err error) {
	return 0, nil, nil
}

type (
	Client   struct{}
	Request  struct{}
	Response struct{}
)

func (*Client) DoDeadline(req *Request, resp *Response, deadline time.Time) error { return nil }
