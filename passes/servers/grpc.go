package servers

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
)

const (
	grpcServer = "google.golang.org/grpc.NewServer"
	keepalives = "google.golang.org/grpc.KeepaliveParams" // pings a silent client, after two hours if no time is given; ages connections
)

// lasting returns the calls that make a gRPC server whose options are all in sight and set no keepalive.
func lasting(code *ir.Result, ctx *contexts.Result) []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for _, fn := range code.Funcs {
		if code.InTest(fn) {
			continue
		}
		for call := range ssawalk.Calls(fn) {
			if typeset.IsNamed(ssawalk.Resolve(call).Func, grpcServer) && surelyWithout(ctx, call) {
				out = append(out, call)
			}
		}
	}
	return out
}

// surelyWithout reports whether each option is a call of another function than the one that sets keepalives.
func surelyWithout(ctx *contexts.Result, call ssa.CallInstruction) bool {
	targets, _ := ctx.Targets(call.Common())
	if len(targets) != 1 {
		return false
	}
	options, all := contexts.Variadic(targets[0])
	for _, o := range options {
		c, ok := ssawalk.Source(o).(*ssa.Call)
		if !ok || ssawalk.CalleeName(c) == keepalives || ssawalk.CalleeName(c) == "" {
			return false // set, or out of sight
		}
	}
	return all
}
