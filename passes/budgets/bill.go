package budgets

import (
	"fmt"
	"go/token"
	"strings"
	"time"

	"github.com/doneby/doneby/passes/durations"
)

// bill is what a function surely may take by its own caps, and of what parts that is: at least so long in the worst case. What
// nobody knows adds nothing, so that a bill above a budget is no guess: a cap of unknown length, rounds that nobody counted beyond
// the first, a wait on the context of the caller, which the budget ends.
type bill struct {
	For     time.Duration
	Items   []item
	Endless *item // the first wait that surely nothing ends, or nil
}

// item is one part of a bill.
type item struct {
	Pos   token.Pos // in this package
	Text  string    // what takes the time: timeout, sleep, http.Get, and the function of another package that it is in
	Each  time.Duration
	Count int64
}

// maxItems is how many parts of a function are told apart to other packages.
const maxItems = 6

func one(pos token.Pos, text string, d time.Duration) bill {
	if d <= 0 {
		return bill{}
	}
	return bill{For: d, Items: []item{{pos, text, d, 1}}}
}

func (b bill) zero() bool { return b.For == 0 && b.Endless == nil }

// plus is one after the other.
func (b bill) plus(c bill) bill {
	if b.Endless == nil {
		b.Endless = c.Endless
	}
	b.For = sum(b.For, c.For)
	b.Items = append(b.Items[:len(b.Items):len(b.Items)], c.Items...)
	return b
}

// or is the longer of two branches, or of two that run side by side.
func (b bill) or(c bill) bill {
	end := b.Endless
	if end == nil {
		end = c.Endless
	}
	if c.For > b.For {
		b = c
	}
	b.Endless = end
	return b
}

// times is n rounds.
func (b bill) times(n int64) bill {
	out := bill{For: product(b.For, n), Endless: b.Endless}
	for _, it := range b.Items {
		it.Count = int64(product(time.Duration(it.Count), n))
		out.Items = append(out.Items, it)
	}
	return out
}

// again is rounds that nobody counted: one there is.
func (b bill) again() bill { return b }

// within is the bill under a cap that is made at pos.
func (b bill) within(d time.Duration, pos token.Pos) bill {
	if b.For <= d {
		return b
	}
	out := one(pos, "timeout", d)
	out.Endless = b.Endless
	return out
}

// in returns the bill of a function of another package as its caller has it: at the call, with the function's name.
func (b bill) in(name string, pos token.Pos) bill {
	out := bill{For: b.For}
	named := func(it item) item {
		it.Pos = pos
		if !strings.Contains(it.Text, " in ") {
			it.Text += " in " + name
		}
		return it
	}
	for _, it := range b.Items {
		out.Items = append(out.Items, named(it))
	}
	if b.Endless != nil {
		it := named(*b.Endless)
		out.Endless = &it
	}
	return out
}

// short returns the bill with its last items made one where there are too many.
func (b bill) short() bill {
	if len(b.Items) <= maxItems {
		return b
	}
	rest := item{Text: fmt.Sprintf("%d more parts", len(b.Items)-maxItems+1), Count: 1}
	for _, it := range b.Items[maxItems-1:] {
		rest.Each = sum(rest.Each, product(it.Each, it.Count))
	}
	b.Items = append(b.Items[:maxItems-1:maxItems-1], rest)
	return b
}

func (it item) String() string {
	if it.Count > 1 {
		return fmt.Sprintf("%d × %s", it.Count, durations.Text(it.Each))
	}
	return durations.Text(it.Each)
}

// costs is the fact of a function that takes time by its own caps, or that nothing ends.
type costs struct {
	For     time.Duration
	Items   []costItem
	Endless string
}

// costItem is an item without its place.
type costItem struct {
	Text  string
	Each  time.Duration
	Count int64
}

func (*costs) AFact() {}

func (f *costs) String() string {
	var parts []string
	for _, it := range f.Items {
		parts = append(parts, item{Text: it.Text, Each: it.Each, Count: it.Count}.String()+" "+it.Text)
	}
	s := "costs " + durations.Text(f.For)
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, " + ")
	}
	if f.Endless != "" {
		s += "; nothing ends " + f.Endless
	}
	return s
}

// fact returns what other packages need to know of a bill.
func (b bill) fact() *costs {
	f := &costs{For: b.For}
	for _, it := range b.short().Items {
		f.Items = append(f.Items, costItem{it.Text, it.Each, it.Count})
	}
	if b.Endless != nil {
		f.Endless = b.Endless.Text
	}
	return f
}

// bill returns the bill that a fact is of.
func (f *costs) bill() bill {
	out := bill{For: f.For}
	for _, it := range f.Items {
		out.Items = append(out.Items, item{Text: it.Text, Each: it.Each, Count: it.Count})
	}
	if f.Endless != "" {
		out.Endless = &item{Text: f.Endless}
	}
	return out
}
