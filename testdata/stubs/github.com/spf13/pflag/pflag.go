// Package pflag has the few signatures of github.com/spf13/pflag that the READMEs' programs use.
package pflag

type FlagSet struct{}

func (f *FlagSet) StringVarP(p *string, name, shorthand, value, usage string) {}
