package rowtest

import (
	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/summaries"
)

// whatReach: what brings a context that ends with a request is something to inherit.
func whatReach(m maker) string {
	switch {
	case m.row.Life:
		return "unbounded/call"
	case answering[m.row.Name]:
		return "ctxless/request"
	}
	return "ctxless/call"
}

// answering are the types that a server answers with, or answers for: the context that they bring is that of a request.
var answering = map[string]bool{
	"*net/http.Request":                   true,
	"*github.com/gin-gonic/gin.Context":   true,
	"*github.com/gofiber/fiber/v2.Ctx":    true,
	"github.com/labstack/echo/v4.Context": true,
	"google.golang.org/grpc.ServerStream": true,
}

// whatHandler is the verdict on what an entry point does: under the context that the row says it is given, or with nothing to inherit.
func whatHandler(m maker) string {
	switch {
	case m.fn.obj != nil && !m.row.Func.IsSet() && summaries.EndsByName(m.fn.obj.Name()):
		return "unbounded/cleanup"
	case m.row.Ctx.IsSet() && !m.row.Life && (knowledge.IsCommandLibrary(m.row.ImportPath()) || m.row.ImportPath() == "github.com/valyala/fasthttp"):
		return "ctxless/call" // who waits at a terminal ends it; a RequestCtx never ends
	case m.row.Ctx.IsSet() && !m.row.Life:
		return "ctxless/request"
	}
	return "unbounded/call"
}
