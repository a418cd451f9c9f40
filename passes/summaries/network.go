package summaries

import (
	"go/constant"
	"net"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// exchangesNothing reports whether the network that a call names shows that it does not wait: a socket of this machine answers at
// once, as does a listener of this program, a datagram socket is connected at once to an address, and only the networks of package net
// that begin with ip have hosts to look up. The address is the argument after the network.
func exchangesNothing(t contexts.Target, row knowledge.Row) bool {
	if row.Network.Kind != knowledge.Param {
		return false
	}
	network := constText(t.At(row.Network))
	if row.Lookup {
		return !strings.HasPrefix(network, "ip")
	}
	if strings.HasPrefix(network, "unix") {
		return true // a socket of this machine: it is there or it is not
	}
	if ownListener(t.Param(row.Network.Index+1), 0) {
		return true // the system takes the connection, whether or not somebody accepts it
	}
	host, _, err := net.SplitHostPort(constText(t.Param(row.Network.Index + 1)))
	return strings.HasPrefix(network, "udp") && err == nil && net.ParseIP(host) != nil
}

// ownListener reports whether an address is that of a listener at hand: net.Dial(l.Addr().Network(), l.Addr().String()).
func ownListener(v ssa.Value, depth int) bool {
	c, ok := ssawalk.Source(v).(*ssa.Call)
	if !ok || depth > 3 {
		return false
	}
	name := calleeName(c)
	if name == "Addr" {
		return typeset.Name(c.Type()) == "net.Addr"
	}
	if name != "String" || len(c.Call.Args) > 1 {
		return false
	}
	if c.Call.IsInvoke() {
		return ownListener(c.Call.Value, depth+1)
	}
	return len(c.Call.Args) == 1 && ownListener(c.Call.Args[0], depth+1)
}

// looksUp reports whether all that a call waits for is the name of a host: it connects a datagram socket.
func looksUp(t contexts.Target, row knowledge.Row) bool {
	return row.Lookup || row.Network.Kind == knowledge.Param && strings.HasPrefix(constText(t.At(row.Network)), "udp")
}

// constText returns the text of a constant, or "".
func constText(v ssa.Value) string {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return ""
	}
	return constant.StringVal(c.Value)
}
