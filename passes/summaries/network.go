package summaries

import (
	"go/constant"
	"go/token"
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
func exchangesNothing(c ssa.CallInstruction, t contexts.Target, row knowledge.Row) bool {
	if row.Network.Kind != knowledge.Param {
		return false
	}
	network := constText(t.At(row.Network))
	if k, ok := t.At(row.Network).(*ssa.Const); ok && k.Value != nil && network == "" {
		return true // log/syslog: the logger of this machine; package net: an error
	}
	if network == "" {
		network = textByBranch(t.At(row.Network), c.Block())
	}
	if row.Lookup {
		return !strings.HasPrefix(network, "ip")
	}
	if strings.HasPrefix(network, "unix") {
		return true // a socket of this machine: it is there or it is not
	}
	if fromAddr(t.At(row.Network), "Network") && fromAddr(t.Param(row.Network.Index+1), "String") || ownListener(t.Param(row.Network.Index+1), 0) {
		return true // the system takes the connection, whether or not somebody accepts it
	}
	if onlyConnects(contexts.DisplayName(t.Obj)) && loopback(t.Param(row.Network.Index+1)) {
		return true // taken or refused at once
	}
	host, _, err := net.SplitHostPort(constText(t.Param(row.Network.Index + 1)))
	return strings.HasPrefix(network, "udp") && err == nil && net.ParseIP(host) != nil
}

// loopback reports whether an address is, by the constant that it begins with, one of this machine: "127.0.0.1:" + port, the format of
// a Sprintf, the host of a JoinHostPort.
func loopback(v ssa.Value) bool {
	text := ""
	switch v := v.(type) {
	case *ssa.Const:
		text = constText(v)
	case *ssa.BinOp:
		text = constText(v.X)
	case *ssa.Call:
		switch ssawalk.CalleeName(v) {
		case "fmt.Sprintf":
			text = constText(v.Call.Args[0])
		case "net.JoinHostPort":
			text = constText(v.Call.Args[0]) + ":"
		}
	}
	return strings.HasPrefix(text, "127.0.0.1:") || strings.HasPrefix(text, "localhost:") || strings.HasPrefix(text, "[::1]:") || text == "::1:"
}

// textByBranch returns the text that a value has where b lies: that which the branch, or the case of a switch, that leads there compares
// it with.
func textByBranch(v ssa.Value, b *ssa.BasicBlock) string {
	if v == nil {
		return ""
	}
	for cond, taken := range conditions(b) {
		if cmp, ok := cond.(*ssa.BinOp); ok && taken && cmp.Op == token.EQL && sameValue(cmp.X, v) {
			return constText(cmp.Y)
		}
	}
	return ""
}

// fromAddr reports whether a value is a part of the address of something at hand, a listener, a plugin, a peer:
// net.Dial(a.Network(), a.String()). What it names is mostly of this machine.
func fromAddr(v ssa.Value, method string) bool {
	if v == nil {
		return false
	}
	c, ok := ssawalk.Source(v).(*ssa.Call)
	return ok && c.Call.IsInvoke() && c.Call.Method.Name() == method && typeset.Name(c.Call.Value.Type()) == "net.Addr"
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
