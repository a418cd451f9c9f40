package contexts

import (
	"go/token"
	"go/types"
	"sort"
	"time"

	"golang.org/x/tools/go/ssa"
)

// Kind says where a context, or the context that a handle carries, comes from.
type Kind uint8

const (
	Unknown     Kind = iota // cannot be told: never reported
	Param                   // a carrier handed to the function at hand, or to one that encloses it
	Handed                  // a carrier handed in elsewhere and kept in a field, a variable or a result
	Root                    // made on the spot: context.Background, or a handle that carries none
	Uncancelled             // values of an inherited one, without its end
	Lifetime                // ends with a component or a signal, not with a request
	Never                   // a framework's value that does not end by itself
)

var kindNames = [...]string{"unknown", "param", "handed", "root", "uncancelled", "lifetime", "never"}

func (k Kind) String() string { return kindNames[k] }

// Bound is the bound of its own that a context got after it was made. The zero Bound is none; For is 0 when the length is
// not known.
type Bound struct {
	Own bool
	For time.Duration
}

// Min returns the tighter of two bounds, as a context derived twice has.
func (b Bound) Min(c Bound) Bound {
	switch {
	case !b.Own:
		return c
	case !c.Own || c.For == 0:
		return b
	case b.For == 0 || c.For < b.For:
		return c
	}
	return b
}

// Origin is one way a context may have come about. Origins are comparable; a set of them is joined over paths.
type Origin struct {
	Kind  Kind
	Param *ssa.Parameter // of kind Param
	Name  string         // what made it, as a reader would type it: context.Background
	Use   string         // the form of Name that carries a context, for handles
	Pos   token.Pos      // of the expression that made it, in this package
	In    *ssa.Function  // the function that has Pos
	Bound Bound
	Field *types.Var // of kind Handed: the field of this package in which it is kept
	// Handle says that what was made is a handle without a context (a request, a command, a session), not a context.
	Handle bool
	// Copied says that the deadline of an inherited context was put on the root at Over.
	Copied bool
	Over   token.Pos
	// Owned says that an own cancel, kept by a component, ends it too: it is that component's life.
	Owned bool
}

// Inherited reports whether o descends from what a caller handed in.
func (o Origin) Inherited() bool { return o.Kind == Param || o.Kind == Handed }

// Set is the origins of a value joined over paths, without duplicates, in a fixed order. An empty Set is a value that no
// path gives, such as nil.
type Set []Origin

// Join returns the origins of both.
func (s Set) Join(t Set) Set {
	out := append(Set(nil), s...)
	for _, o := range t {
		if !out.has(o) {
			out = append(out, o)
		}
	}
	out.sort()
	return out
}

func (s Set) has(o Origin) bool {
	for _, p := range s {
		if p == o {
			return true
		}
	}
	return false
}

func (s Set) sort() {
	sort.SliceStable(s, func(i, j int) bool {
		a, b := s[i], s[j]
		switch {
		case a.Kind != b.Kind:
			return a.Kind < b.Kind
		case a.Pos != b.Pos:
			return a.Pos < b.Pos
		case a.Param != nil && b.Param != nil && a.Param != b.Param:
			return a.Param.Pos() < b.Param.Pos()
		case a.Bound.For != b.Bound.For:
			return a.Bound.For < b.Bound.For
		case a.Bound.Own != b.Bound.Own:
			return b.Bound.Own
		}
		return a.Name < b.Name
	})
}

// Map returns the set with f applied to each origin.
func (s Set) Map(f func(Origin) Origin) Set {
	var out Set
	for _, o := range s {
		if p := f(o); !out.has(p) {
			out = append(out, p)
		}
	}
	out.sort()
	return out
}

// Bounded returns the set with b put on every origin.
func (s Set) Bounded(b Bound) Set {
	if !b.Own {
		return s
	}
	return s.Map(func(o Origin) Origin {
		o.Bound = o.Bound.Min(b)
		return o
	})
}

// Has reports whether some path gives an origin of that kind.
func (s Set) Has(k Kind) bool {
	for _, o := range s {
		if o.Kind == k {
			return true
		}
	}
	return false
}

// Inherited reports whether there is an origin and every path inherits.
func (s Set) Inherited() bool {
	for _, o := range s {
		if !o.Inherited() {
			return false
		}
	}
	return len(s) > 0
}

var unknown = Set{{Kind: Unknown}}
