package summaries

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// A datagram is handed to the kernel and sent at once; what waits is the read of an answer, which may be lost on the way. A
// socket that is opened to listen is a server's, unless the function that opens it speaks first: then it is a client's.

// sends reports whether a call writes to connections that all are datagram sockets opened here.
func (c *conns) sends(call ssa.CallInstruction, v ssa.Value) bool {
	name := calleeName(call)
	if !strings.HasPrefix(name, "Write") && !strings.HasPrefix(name, "Fprint") {
		return false
	}
	from, sure := c.r.ctx.Conns(v)
	for _, x := range from {
		sure = sure && c.isDatagram(x)
	}
	return sure
}

// awaitsReply reports whether a call reads an answer on a datagram socket which its function opened, and on which it wrote
// before; no deadline is ever set on it.
func (c *conns) awaitsReply(call ssa.CallInstruction, v ssa.Value) bool {
	from, sure := c.r.ctx.Conns(v)
	if !sure || len(from) != 1 || inLoop(call.Block()) {
		return false // a loop of datagrams is a server's
	}
	x := from[0]
	opened, ok := x.Value.(*ssa.Call)
	if !ok || opened.Parent() != call.Parent() || !c.isDatagram(x) || len(c.sets[x]) > 0 {
		return false
	}
	for other := range ssawalk.Calls(call.Parent()) {
		recv := receiverOf(c.r, other)
		if recv == nil || !strings.HasPrefix(calleeName(other), "Write") || !ssawalk.Before(other, call) {
			continue
		}
		if to, _ := c.r.ctx.Conns(recv); len(to) == 1 && to[0] == x {
			return true
		}
	}
	return false
}

// isDatagram reports whether a connection is a socket for datagrams, by the function that opened it or the network that this
// was given.
func (c *conns) isDatagram(x contexts.Conn) bool {
	if x.Field != nil {
		from := c.r.ctx.Sources(x)
		all := len(from) > 0
		for _, y := range from {
			all = all && y.Field == nil && c.isDatagram(y)
		}
		return all
	}
	call, ok := x.Value.(*ssa.Call)
	if !ok {
		return false
	}
	targets, _ := c.r.ctx.Targets(&call.Call)
	if len(targets) != 1 || targets[0].Obj == nil {
		return false
	}
	switch typeset.FullName(targets[0].Obj) {
	case "net.DialUDP", "net.DialIP", "(*net.Dialer).DialUDP", "net.ListenUDP", "net.ListenPacket", "(*net.ListenConfig).ListenPacket":
		return true
	}
	row, known := c.r.ctx.Row(targets[0].Obj)
	if !known || row.Network.Kind != knowledge.Param {
		return false
	}
	network := constText(targets[0].At(row.Network))
	return strings.HasPrefix(network, "udp") || strings.HasPrefix(network, "ip:")
}
