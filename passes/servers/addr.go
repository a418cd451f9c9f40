package servers

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// byDefault returns the address that a server listens on unless its user says another: a constant, or the default of a flag.
func (b *book) byDefault(addr ssa.Value) string {
	if addr == nil {
		return ""
	}
	load, ok := ssawalk.Source(addr).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return text(addr)
	}
	at := load.X // *addr, of addr := flag.String(name, default, usage)
	if inner, ok := at.(*ssa.UnOp); ok && b.ctx.OnlyStored(inner) != nil {
		at = b.ctx.OnlyStored(inner)
	}
	if made, ok := at.(*ssa.Call); ok {
		switch ssawalk.CalleeName(made) {
		case "flag.String":
			return text(made.Call.Args[1])
		case "(*flag.FlagSet).String":
			return text(made.Call.Args[2])
		}
		return ""
	}
	if at.Referrers() == nil {
		return ""
	}
	for _, ref := range *at.Referrers() { // flag.StringVar(&addr, name, default, usage)
		call, ok := ref.(*ssa.Call)
		if !ok {
			continue
		}
		switch args := call.Call.Args; ssawalk.CalleeName(call) {
		case "flag.StringVar":
			return text(args[2])
		case "(*flag.FlagSet).StringVar":
			return text(args[3])
		}
	}
	return ""
}

// text returns the text of a constant, or "".
func text(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	return ""
}
