// Package conformance holds the dialects of package deadline against the code of those whose dialects they are: grpc-go and
// connect-go. It is a module of its own, so that the runtime package needs nothing but the standard library.
//
// What those libraries read and write deadlines with is not exported. It is reached by name, so a new version that renames it
// fails to link and is looked at.
package conformance

import (
	"context"
	"net/http"
	"time"
	"unsafe"

	_ "connectrpc.com/connect" // the code compared with
	_ "google.golang.org/grpc" // the code compared with
)

//go:linkname grpcDecode google.golang.org/grpc/internal/transport.decodeTimeout
func grpcDecode(s string) (time.Duration, error)

//go:linkname grpcEncode google.golang.org/grpc/internal/grpcutil.EncodeDuration
func grpcEncode(d time.Duration) string

//go:linkname connectGRPCDecode connectrpc.com/connect.grpcParseTimeout
func connectGRPCDecode(s string) (time.Duration, error)

//go:linkname connectGRPCEncode connectrpc.com/connect.grpcEncodeTimeout
func connectGRPCEncode(d time.Duration) string

//go:linkname connectEncode connectrpc.com/connect.connectEncodeTimeout
func connectEncode(d time.Duration) string

//go:linkname connectSetTimeout connectrpc.com/connect.(*connectHandler).SetTimeout
func connectSetTimeout(unused unsafe.Pointer, r *http.Request) (context.Context, context.CancelFunc, error)

// connectDecode is what a handler of connect-go makes of its header: the time left when it began, or no deadline.
func connectDecode(s string) (left time.Duration, bounded bool, err error) {
	r := (&http.Request{Header: http.Header{"Connect-Timeout-Ms": {s}}}).WithContext(context.Background())
	before := time.Now()
	ctx, cancel, err := connectSetTimeout(nil, r)
	if err != nil || cancel == nil { // without a header there is nothing to cancel
		return 0, false, err
	}
	defer cancel()
	end, bounded := ctx.Deadline()
	return end.Sub(before), bounded, nil
}
