package rowtest

import (
	"go/types"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/summaries"
)

// maker is a row about a function that can be called, and the type of the value in question.
type maker struct {
	row    knowledge.Row
	fn     callee
	conn   bool // what on= names, or the receiver, can be put on a connection
	opened bool // in a program: what it is called on was opened by a wait
}

// distances says by how many calls a value of a type can be made out of a context or connection; not at all without an entry.
type distances map[string]int

// distances goes through the makers until nothing is nearer; at is the place of the value that one needs, and there says
// which types need no maker.
func (w *world) distances(at func(maker) knowledge.Place, there func(types.Type) bool) distances {
	out := distances{}
	for changed := true; changed; {
		changed = false
		for made, list := range w.makers {
			for _, m := range list {
				need := m.fn.at(at(m))
				if need == nil {
					continue
				}
				if there(need) {
					out[need.String()] = 0
				}
				d, ok := out[need.String()]
				if !ok {
					continue
				}
				if old, known := out[made]; !known || d+1 < old {
					out[made], changed = d+1, true
				}
			}
		}
	}
	return out
}

// contextAt is where a maker takes the context that ends what it makes, or a handle that has one.
func (m maker) contextAt() knowledge.Place {
	switch {
	case m.row.Ctx.Kind == knowledge.Param && m.row.Ctx.Sel == "", m.row.Ctx.Kind == knowledge.Opts:
		return m.row.Ctx
	case m.row.On.IsSet() && m.row.On.Sel == "":
		return m.row.On
	case m.row.ByRecv:
		return knowledge.Place{Kind: knowledge.Recv}
	}
	return knowledge.Place{}
}

// connAt is where a maker takes the connection that it makes something of.
func (m maker) connAt() knowledge.Place {
	if m.row.Verb != knowledge.Binds && !m.greets() || m.row.On.Sel != "" || m.row.Ctx.IsSet() {
		return knowledge.Place{}
	}
	return m.row.On
}

// greets reports whether the function talks on a connection and gives a client over it.
func (m maker) greets() bool {
	return m.row.Verb == knowledge.Waits && m.row.IO && m.row.On.Kind == knowledge.Param && m.fn.recv == nil
}

// makes returns the type of what the function makes out of a context, a connection or another handle, or nil.
func (m maker) makes() types.Type {
	from := m.row.Ctx.Kind == knowledge.Param && m.row.Ctx.Sel == "" || m.row.Ctx.Kind == knowledge.Opts || m.row.On.IsSet() && m.row.On.Sel == ""
	if m.row.ByRecv && m.row.Verb == knowledge.Waits {
		from = true
	}
	switch m.row.Verb {
	case knowledge.Binds, knowledge.Derives:
	case knowledge.Waits:
		from = from && (!m.row.IO || m.greets() && m.fn.sig.Results().Len() > 0 && !basic(m.fn.sig.Results().At(0).Type())) && !m.row.Meant
	default:
		return nil
	}
	if !from || m.row.Memory || m.row.Result >= m.fn.sig.Results().Len() {
		return nil
	}
	return m.fn.sig.Results().At(m.row.Result).Type()
}

// waitsOn returns the type of the handle that ends the function's wait, or nil.
func (m maker) waitsOn() types.Type {
	row := m.row
	if row.Verb != knowledge.Waits || row.Meant || row.Local {
		return nil
	}
	switch {
	case row.Ctx.Kind == knowledge.Param && row.Ctx.Sel != "":
		return m.fn.at(row.Ctx)
	case row.Ctx.IsSet():
		return nil
	case (row.ByRecv || row.IO) && row.On.IsSet() && row.On.Sel == "":
		return m.fn.at(row.On)
	case (row.ByRecv || row.IO) && !row.On.IsSet():
		return m.fn.recv
	}
	return nil
}

// connectable reports whether what a row's on= names can be put on a connection.
func (w *world) connectable(m maker) bool {
	if !m.row.On.IsSet() {
		return false
	}
	t := m.fn.at(m.row.On)
	if t == nil {
		return false
	}
	_, made := w.onConn[t.String()]
	return made || types.AssignableTo(w.std("net", "Conn"), t) || types.Implements(t, w.std("net", "Conn").Underlying().(*types.Interface))
}

// cost puts the plain functions first: without bounds of their own, with few arguments.
func (m maker) cost() int {
	n := m.fn.sig.Params().Len()
	if m.row.Within.IsSet() || m.row.Until.IsSet() || m.row.Default > 0 || len(m.row.Fields) > 0 {
		n += 20
	}
	if m.row.Verb == knowledge.Waits {
		n += 10 // as a maker; among sinks all are
	}
	if summaries.EndsByName(m.fn.obj.Name()) {
		n += 40
	}
	return n
}

// basic reports whether t is a number, a text or the like, or a list of such: nothing that is made over a connection.
func basic(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return basic(t.Elem())
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
