package servers

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// flagged are the functions that define a flag with a text, by their name: where they are given its default.
var flagged = map[string]int{"String": 1, "StringP": 2, "StringVar": 2, "StringVarP": 3}

// flagPackages are those of them, and of the sets of flags that have methods of these names.
var flagPackages = map[string]bool{"flag": true, "github.com/spf13/pflag": true}

// flagDefault returns the default of the flag whose text is kept at an address, which the user may change.
func (b *book) flagDefault(at ssa.Value) string {
	if inner, ok := at.(*ssa.UnOp); ok { // *addr, of addr := flag.String(name, default, usage)
		at = b.ctx.Behind(inner)
	}
	if made, ok := at.(*ssa.Call); ok {
		return definesFlag(made)
	}
	for _, fn := range b.all() { // flag.StringVar(&addr, name, default, usage)
		for c := range ssawalk.Calls(fn) {
			for _, a := range c.Common().Args {
				if isTextPointer(a.Type()) && b.sameVariable(a, at) {
					if said := definesFlag(c); said != open {
						return said
					}
				}
			}
		}
	}
	return open
}

func isTextPointer(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && typeset.IsText(p.Elem())
}

// sameVariable reports whether two addresses are of one variable, or of one field.
func (b *book) sameVariable(x, y ssa.Value) bool {
	x, y = b.ctx.Variable(x), b.ctx.Variable(y)
	fx, ok := x.(*ssa.FieldAddr)
	if !ok {
		return x != nil && x == y
	}
	fy, ok := y.(*ssa.FieldAddr)
	return ok && contexts.FieldOf(fx) == contexts.FieldOf(fy)
}

// definesFlag returns the default that a call gives to the flag that it defines, or what is open.
func definesFlag(c ssa.CallInstruction) string {
	s := ssawalk.Resolve(c)
	if s.Func == nil || s.Func.Pkg() == nil {
		return open
	}
	at, ok := flagged[s.Func.Name()]
	switch {
	case ok && flagPackages[s.Func.Pkg().Path()]:
		return text(s.Arg(at))
	case ok && s.Recv != nil:
		return clauseDefault(s.Recv)
	}
	return open
}

// clauseDefault returns the default of a flag that is defined clause by clause, as in kingpin: Flag(name, usage).Default(addr).String().
func clauseDefault(v ssa.Value) string {
	for range maxBehind {
		if fa, ok := v.(*ssa.FieldAddr); ok {
			v = fa.X // an embedded part of the clause
		}
		c, ok := v.(*ssa.Call)
		if !ok {
			return open
		}
		s := ssawalk.Resolve(c)
		if s.Func == nil || s.Recv == nil {
			return open
		}
		if s.Func.Name() == "Default" {
			if given := contexts.Elements(s.Arg(0)); len(given) == 1 {
				return text(given[0])
			}
			return text(s.Arg(0))
		}
		v = s.Recv
	}
	return open
}
