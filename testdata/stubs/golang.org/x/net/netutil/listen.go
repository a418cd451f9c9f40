// Package netutil has the few signatures of golang.org/x/net/netutil that the READMEs' programs use.
package netutil

import "net"

func LimitListener(l net.Listener, n int) net.Listener { return l }
