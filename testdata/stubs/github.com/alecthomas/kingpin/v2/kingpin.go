// Package kingpin has the few signatures of github.com/alecthomas/kingpin/v2 that the READMEs' programs use.
package kingpin

type parserMixin struct{ value string }

func (p *parserMixin) String() *string          { return &p.value }
func (p *parserMixin) StringVar(target *string) {}

type FlagClause struct{ parserMixin }

func (f *FlagClause) Default(values ...string) *FlagClause { return f }

func Flag(name, help string) *FlagClause { return &FlagClause{} }
