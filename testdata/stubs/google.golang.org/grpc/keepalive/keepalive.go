// Package keepalive has the few names of google.golang.org/grpc/keepalive that the READMEs' programs use.
package keepalive

import "time"

type ServerParameters struct{ MaxConnectionIdle, MaxConnectionAge, Time, Timeout time.Duration }
