package servers

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// open stands for a part of an address that cannot be told.
const open = "\x00"

// maxBehind is through how many values an address is followed.
const maxBehind = 8

// byDefault returns the address that a server listens on unless its user says another: a constant, the default of a flag, what stands in
// for an empty one, or one put together from these. Parts that cannot be told are open.
func (b *book) byDefault(addr ssa.Value) string {
	if addr == nil {
		return open
	}
	return b.said(addr, 0)
}

func (b *book) said(v ssa.Value, depth int) string {
	if depth > maxBehind {
		return open
	}
	v = b.ctx.Behind(v)
	switch v := v.(type) {
	case *ssa.Const:
		return text(v)
	case *ssa.BinOp:
		if v.Op == token.ADD {
			return b.said(v.X, depth+1) + b.said(v.Y, depth+1)
		}
	case *ssa.Phi:
		return b.standIn(v, depth)
	case *ssa.Parameter:
		return b.handed(v, depth)
	case *ssa.FieldAddr:
		return b.flagDefault(v) // a field whose address is given to somebody
	case *ssa.Call:
		return b.put(v, depth)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return b.flagDefault(v.X)
		}
	}
	return open
}

// standIn returns what stands in for an address that is empty, as in: if addr == "" { addr = "localhost:80" }.
func (b *book) standIn(phi *ssa.Phi, depth int) string {
	for i, e := range phi.Edges {
		from := phi.Block().Preds[i]
		if len(from.Preds) != 1 {
			continue
		}
		for j, other := range phi.Edges {
			if i != j && emptyOn(other, from.Preds[0], from) {
				return b.said(e, depth+1)
			}
		}
	}
	return open
}

// emptyOn reports whether a text is known to be empty on the way from a block to the next.
func emptyOn(v ssa.Value, from, to *ssa.BasicBlock) bool {
	last, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] != to {
		return false
	}
	test, ok := last.Cond.(*ssa.BinOp)
	return ok && test.Op == token.EQL && test.X == v && text(test.Y) == ""
}

// handed returns the address that all callers hand in, where all are in sight.
func (b *book) handed(p *ssa.Parameter, depth int) string {
	fn := p.Parent()
	if obj := fn.Object(); obj == nil || obj.Exported() && b.pass.Pkg.Name() != "main" {
		return open
	}
	said := open
	for i, c := range b.ir.Callers(fn) {
		this := b.said(c.Common().Args[slices.Index(fn.Params, p)], depth+1)
		if i > 0 && said != this {
			return open
		}
		said = this
	}
	return said
}

// put returns an address that a call puts together, or that a function of this package does.
func (b *book) put(c *ssa.Call, depth int) string {
	args := c.Call.Args
	switch ssawalk.CalleeName(c) {
	case "net.JoinHostPort":
		return b.said(args[0], depth+1) + ":" + b.said(args[1], depth+1)
	case "fmt.Sprintf":
		return b.formatted(text(args[0]), contexts.Elements(args[1]), depth)
	case "fmt.Sprint":
		var out strings.Builder
		for _, a := range contexts.Elements(args[0]) {
			out.WriteString(b.said(a, depth+1))
		}
		return out.String()
	}
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Blocks == nil {
		return open
	}
	only := ""
	for ret := range ssawalk.Returns(fn) {
		if only != "" || len(ret.Results) != 1 {
			return open
		}
		only = b.said(ret.Results[0], depth+1)
	}
	return only
}

// formatted fills in what a format leaves open, as far as it can be told.
func (b *book) formatted(format string, args []ssa.Value, depth int) string {
	var out strings.Builder
	for rest, next := format, 0; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		out.WriteString(before)
		if !found {
			break
		}
		switch {
		case strings.HasPrefix(after, "%"):
			out.WriteByte('%')
		case next < len(args):
			out.WriteString(b.said(args[next], depth+1))
			next++
		default:
			out.WriteString(open)
		}
		rest = strings.TrimLeft(after, "+-# 0123456789.")
		rest = rest[min(1, len(rest)):]
	}
	return out.String()
}

// text returns the text of a constant, or what is open.
func text(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		if c.Value.Kind() == constant.String {
			return constant.StringVal(c.Value)
		}
		return c.Value.ExactString()
	}
	return open
}
