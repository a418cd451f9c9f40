// Package echo has the few signatures of github.com/labstack/echo/v4 that the READMEs' programs use.
package echo

import "net/http"

type (
	HandlerFunc    func(c Context) error
	MiddlewareFunc func(next HandlerFunc) HandlerFunc
)

type Context interface {
	Request() *http.Request
	Response() *Response
	SetRequest(r *http.Request)
	Param(name string) string
	QueryParam(name string) string
	Bind(i any) error
	JSON(code int, i any) error
	NoContent(code int) error
	Get(key string) any
	Set(key string, val any)
}

type Response struct{ Writer http.ResponseWriter }

type (
	Route struct{}
	Echo  struct{ Server, TLSServer *http.Server }
)

func New() *Echo { return &Echo{} }

func (*Echo) GET(path string, h HandlerFunc, m ...MiddlewareFunc) *Route  { return nil }
func (*Echo) POST(path string, h HandlerFunc, m ...MiddlewareFunc) *Route { return nil }
func (*Echo) Start(address string) error                                  { return nil }
func (*Echo) StartTLS(address string, certFile, keyFile any) error        { return nil }
func (*Echo) StartServer(s *http.Server) error                            { return nil }
