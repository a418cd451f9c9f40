// Package fiber has the few signatures of github.com/gofiber/fiber/v2 that the READMEs' programs use.
package fiber

import (
	"context"

	"github.com/valyala/fasthttp"
)

type (
	Handler = func(*Ctx) error
	Ctx     struct{}
	App     struct{}
	Config  struct{}
	Router  interface{}
)

func New(config ...Config) *App { return nil }

func (*App) Get(path string, handlers ...Handler) Router { return nil }
func (*App) Listen(addr string) error                    { return nil }

func (*Ctx) Context() *fasthttp.RequestCtx                    { return nil }
func (*Ctx) UserContext() context.Context                     { return nil }
func (*Ctx) SetUserContext(ctx context.Context)               {}
func (*Ctx) Params(key string, defaultValue ...string) string { return "" }
func (*Ctx) JSON(data any) error                              { return nil }
func (*Ctx) SendStatus(status int) error                      { return nil }
