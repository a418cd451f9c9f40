package clocks

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// node returns the node of a place, which is nothing until settle has looked at it.
func (p *program) node(at place) *node {
	if n := p.nodes[at]; n != nil {
		return n
	}
	n := &node{at: at}
	p.nodes[at] = n
	p.list = append(p.list, n)
	p.dirty = true
	n.values, n.shut = p.sources(at)
	if n.shut {
		n.now = opaque
	}
	return n
}

// sources returns all values that reach a place, and whether there may be others.
func (p *program) sources(at place) (vals []ssa.Value, shut bool) {
	outer := at
	outer.inside = false
	switch {
	case at == place{}:
		return nil, true
	case p.shut[at] || p.shut[outer] && !at.inside:
		return nil, true
	case at.param != nil:
		return p.arguments(at.param)
	case at.fn != nil:
		if len(at.fn.Blocks) == 0 || at.index >= at.fn.Signature.Results().Len() {
			return nil, true
		}
		for ret := range ssawalk.Returns(at.fn) {
			vals = append(vals, ret.Results[at.index])
		}
		return vals, false
	case at.field != nil && at.field.Pkg() != p.pass.Pkg:
		return nil, true
	case at.field != nil && len(p.stored[at]) == 0:
		return nil, true // whoever sets it is not in sight
	case at.local != nil && !at.inside && len(p.stored[at]) != len(ssawalk.Stores(at.local)):
		return nil, true // its address goes somewhere
	}
	return p.stored[at], false
}

// arguments returns what is given for a parameter; unknown when the function may be called from out of sight.
func (p *program) arguments(param *ssa.Parameter) (vals []ssa.Value, shut bool) {
	fn := param.Parent()
	obj := fn.Object()
	i := slices.Index(fn.Params, param)
	if obj == nil || obj.Exported() || p.values[fn] || i < 0 || len(p.called[fn]) == 0 {
		return nil, true
	}
	for _, t := range p.called[fn] {
		if i >= len(t.Args) || t.Args[i] == nil {
			return nil, true
		}
		vals = append(vals, t.Args[i])
	}
	return vals, false
}

// settle reads all places until nothing changes.
func (p *program) settle() {
	p.uses() // asks for the places that matter
	for _, fn := range p.code.Funcs {
		if res := fn.Signature.Results(); res.Len() > 0 && timely(res.At(0).Type()) && fn.Object() != nil && fn.Object().Exported() {
			p.node(place{fn: fn})
		}
	}
	for range maxRounds {
		p.dirty = false
		for i := 0; i < len(p.list); i++ { // the list grows
			n := p.list[i]
			if n.now.state == unknown {
				continue
			}
			next := n.now
			for _, v := range n.values {
				next = next.join(p.read(v))
			}
			if !next.equal(n.now) {
				n.now = next
				p.dirty = true
			}
		}
		if !p.dirty {
			return
		}
	}
	for _, n := range p.list {
		n.now = opaque // more than can be told
	}
}

// maxRounds is far above what programs need: a round for each step from place to place, the order against it.
const maxRounds = 50
