// Package gin has the few signatures of github.com/gin-gonic/gin that the READMEs' programs use.
package gin

import (
	"net/http"
	"time"
)

type HandlerFunc func(*Context)

type Engine struct {
	RouterGroup
	ContextWithFallback bool
}

func New() *Engine     { return &Engine{} }
func Default() *Engine { return &Engine{} }

func (*Engine) Run(addr ...string) error                         { return nil }
func (*Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {}

type RouterGroup struct{}

func (*RouterGroup) GET(path string, h ...HandlerFunc)  {}
func (*RouterGroup) POST(path string, h ...HandlerFunc) {}
func (*RouterGroup) Use(h ...HandlerFunc)               {}

type Context struct {
	Request *http.Request
	Writer  http.ResponseWriter
}

func (*Context) Deadline() (deadline time.Time, ok bool)  { return time.Time{}, false }
func (*Context) Done() <-chan struct{}                    { return nil }
func (*Context) Err() error                               { return nil }
func (*Context) Value(key any) any                        { return nil }
func (*Context) Param(key string) string                  { return "" }
func (*Context) Query(key string) string                  { return "" }
func (*Context) JSON(code int, obj any)                   {}
func (*Context) String(code int, format string, v ...any) {}
func (*Context) Status(code int)                          {}
func (*Context) Copy() *Context                           { return nil }
func (*Context) Next()                                    {}
