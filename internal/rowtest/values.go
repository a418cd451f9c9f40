package rowtest

import (
	"go/types"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// carries reports whether a parameter of the type brings a context in reach, as far as types and rows tell.
func (w *world) carries(t types.Type) bool {
	if typeset.ImplementsContext(t) || typeset.IsRequest(t) || typeset.HasContextMethod(t) {
		return true
	}
	row, ok := w.tables.Type(typeset.Name(t))
	return ok && row.Verb == knowledge.Carries
}

// std returns a type of the standard library, or nil.
func (w *world) std(path, name string) types.Type {
	if p := w.pkgs[path]; p != nil {
		if obj := p.Scope().Lookup(name); obj != nil {
			return obj.Type()
		}
	}
	return nil
}

// under writes a value of type t that ends with the context ctx: the context itself, or a handle made by the functions that
// the tables say bind, derive or open one.
func (s *scene) under(t types.Type, ctx string) (string, error) {
	switch {
	case t == nil:
		return "", cannot("nothing in the tables makes the handle")
	case types.AssignableTo(s.w.std("context", "Context"), t):
		return ctx, nil
	case typeset.IsRequest(t):
		return "new(" + s.imports.name("net/http") + ".Request).WithContext(" + ctx + ")", nil
	}
	if x, ok := s.made(t, s.w.fromCtx, maker.contextAt, func(t types.Type) (string, error) { return s.under(t, ctx) }); ok {
		return x, nil
	}
	return "", cannot("nothing in the tables makes the handle")
}

// made calls the first maker of a type that needs what is nearer than that, which from writes.
func (s *scene) made(t types.Type, far distances, at func(maker) knowledge.Place, from func(types.Type) (string, error)) (string, bool) {
	for _, m := range s.w.makers[t.String()] {
		need := m.fn.at(at(m))
		if need == nil || far[need.String()] >= far[t.String()] {
			continue
		}
		if x, ok := s.make(m, at(m), from); ok {
			return x, true
		}
	}
	return "", false
}

// conn is the name of the connection that a scene dials.
const conn = "conn"

// over writes a value of type t that reads from or writes to the connection.
func (s *scene) over(t types.Type) (string, error) {
	if t == nil {
		return "", cannot("nothing in the tables puts it on a connection")
	}
	netConn := s.w.std("net", "Conn")
	if types.Identical(netConn, t) {
		return conn, nil
	}
	if types.AssignableTo(netConn, t) {
		text, err := s.imports.typeText(t)
		return text + "(" + conn + ")", err
	}
	if x, ok := s.made(t, s.w.onConn, maker.connAt, s.over); ok {
		return x, nil
	}
	asserted := types.IsInterface(t) && knowledge.IsStd(pathOf(t)) || types.Implements(t, netConn.Underlying().(*types.Interface))
	if text, err := s.imports.typeText(t); asserted && err == nil && !typeset.ImplementsContext(t) {
		return conn + ".(" + text + ")", nil
	}
	return s.unwrapped(t)
}

// unwrapped is what an io.Reader or io.Writer over the connection really is.
func (s *scene) unwrapped(t types.Type) (string, error) {
	for _, name := range []string{"Reader", "Writer", "ReadCloser", "WriteCloser"} {
		iface := s.w.std("io", name)
		if !types.AssignableTo(t, iface) {
			continue
		}
		for _, m := range s.w.makers[iface.String()] {
			if m.row.ImportPath() != pathOf(t) || m.connAt().Kind != knowledge.Param {
				continue
			}
			x, ok := s.make(m, m.connAt(), s.over)
			if text, err := s.imports.typeText(t); ok && err == nil {
				return x + ".(" + text + ")", nil
			}
		}
	}
	return "", cannot("nothing in the tables puts it on a connection")
}

func pathOf(t types.Type) string {
	if n := typeset.Named(t); n != nil && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// make calls a maker with what from gives at a place; false, and the scene as before, when it cannot be called.
func (s *scene) make(m maker, at knowledge.Place, from func(types.Type) (string, error)) (string, bool) {
	saved := *s
	x, err := from(m.fn.at(at))
	if err == nil {
		s.handles++
		s.opened = s.opened || m.row.Verb == knowledge.Waits
		x, err = s.callOf(m.fn, map[string]string{at.String(): x}, m.row.Result)
	}
	if err != nil {
		*s = saved
		return "", false
	}
	return x, true
}

// use waits on the handle x of type t in the plainest way that the tables have.
func (s *scene) use(t types.Type, x string) error {
	if t != nil && types.AssignableTo(t, s.w.std("context", "Context")) {
		return s.query(x)
	}
	if t != nil && types.Identical(t, types.NewPointer(s.w.std("net/http", "Request"))) {
		s.do("_, _ = %s.DefaultClient.Do(%s)", s.imports.name("net/http"), x) // its form is there already, when it is made here
		return nil
	}
	for _, m := range s.w.sinks[t.String()] {
		if m.row.IO && s.noIO {
			continue
		}
		saved := *s
		at := m.row.Ctx
		if !at.IsSet() {
			if at = m.row.On; !at.IsSet() {
				at = knowledge.Place{Kind: knowledge.Recv}
			}
		}
		at.Sel = ""
		if _, err := s.callOf(m.fn, map[string]string{at.String(): x}, -1); err != nil {
			*s = saved
			continue
		}
		return nil
	}
	io := s.imports.name("io")
	switch {
	case s.noIO:
		return cannot("nothing in the tables waits on what it makes")
	case types.AssignableTo(t, s.w.std("io", "Reader")):
		s.do("_, _ = %s.ReadAll(%s)", io, x)
	case types.AssignableTo(t, s.w.std("io", "Writer")):
		s.do("_, _ = %s.WriteString(%s, %q)", io, x, "x")
	default:
		return cannot("nothing in the tables waits on what it makes")
	}
	return nil
}

// query is a wait that ends with the context given.
func (s *scene) query(ctx string) error {
	db, err := s.param(types.NewPointer(s.w.std("database/sql", "DB")))
	if err == nil {
		s.do("_ = %s.PingContext(%s)", db, ctx)
	}
	return err
}

// fetch is a wait that no context can end.
func (s *scene) fetch() string { return s.imports.name("net/http") + `.Get("")` }

// dial makes the connection: within a second, so that nobody speaks of the dialling where there is nothing to inherit.
func (s *scene) dial() {
	s.do(`%s, _ := %s.DialTimeout("tcp", "host:1", %s.Second)`, conn, s.imports.name("net"), s.imports.name("time"))
}

// inReach gives the function a context.
func (s *scene) inReach() { s.params = append(s.params, "ctx "+s.imports.name("context")+".Context") }

func (s *scene) root() string { return s.imports.name("context") + ".Background()" }
