package servers

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/contexts"
)

// list returns the servers that are served: objects that this package, or an own one that it calls, makes.
func (b *book) list() []Server {
	b.exprs = makers(b.pass.Files)
	var out []Server
	done := map[ssa.Value]bool{}
	for _, o := range b.order {
		r := b.root(o)
		if done[r] || !b.served[r] {
			continue
		}
		if st := b.starts[o]; st != nil {
			if _, made := o.(*ssa.Parameter); !made {
				done[r] = true
				out = append(out, b.started(o, st))
			}
			continue
		}
		if b.replacedServer(o) {
			continue
		}
		s := Server{Has: b.has[r], Lacks: lacksOf(o.Type())}
		if !b.place(&s, o) {
			continue // a parameter: its server is made by callers
		}
		done[r] = true
		on := b.listenersOf(r)
		if b.handsOut(on) {
			continue // who accepted its connections may have bounded them
		}
		s.Debug = b.debug(b.handlers[r], nil, s.Pos) || b.near(on, b.addrs[r])
		s.Endless = b.endless(b.handlers[r])
		out = append(out, s)
	}
	for _, call := range b.plain {
		if s, ok := b.plainServer(call); ok {
			out = append(out, s)
		}
	}
	return out
}

// plainServer is the server that http.ListenAndServe makes; false where its connections may be bounded by who accepted them.
func (b *book) plainServer(call ssa.CallInstruction) (Server, bool) {
	fn := call.Common().StaticCallee().Object().(*types.Func)
	s := Server{Name: contexts.DisplayName(fn), Lacks: lacksIn(fn)}
	s.Pos, s.End = b.rangeOf(call.Pos())
	args := call.Common().Args
	at := plain[fn.FullName()]
	if at < 0 {
		return s, true // its routes are the framework's
	}
	handler, on := args[at], args[:0]
	if strings.HasPrefix(fn.Name(), "Serve") {
		on = args[:1]
	}
	s.Debug = b.debug([]ssa.Value{handler}, args[0], s.Pos) || b.near(on, nil)
	s.Endless = b.endless([]ssa.Value{handler})
	return s, !b.handsOut(on)
}

// place finds the expression that makes an object.
func (b *book) place(s *Server, o ssa.Value) bool {
	switch o := o.(type) {
	case *ssa.Alloc, *ssa.Global:
		s.Name = nameOf(o.Type())
	case *ssa.Call:
		targets, _ := b.ctx.Targets(&o.Call)
		if len(targets) == 0 || targets[0].Obj == nil {
			return false
		}
		if makesKin(targets[0].Obj) {
			s.Name = contexts.DisplayName(targets[0].Obj)
			break
		}
		s.Name = "http.Server of " + contexts.DisplayName(targets[0].Obj)
	default:
		return false
	}
	s.Pos, s.End = b.rangeOf(o.Pos())
	return s.Pos.IsValid()
}

// rangeOf returns the expression at a position that SSA keeps: of a literal, its type, and the literal of the server itself where it
// stands within that of a larger struct.
func (b *book) rangeOf(pos token.Pos) (token.Pos, token.Pos) {
	e := b.exprs[pos]
	if e == nil {
		return pos, pos + 1
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return e.Pos(), e.End()
	}
	ast.Inspect(lit, func(n ast.Node) bool {
		inner, ok := n.(*ast.CompositeLit)
		if ok && isServer(b.pass.TypesInfo.TypeOf(inner)) {
			lit = inner
		}
		return !ok || inner != lit || inner == e
	})
	if lit.Type == nil {
		return lit.Pos(), lit.End()
	}
	return lit.Pos(), lit.Type.End()
}

// makers indexes what may make a server by the position that SSA keeps of it: a literal by its brace, a call by its parenthesis, a
// variable by its name, which stands for the literal that it begins with.
func makers(files []*ast.File) map[token.Pos]ast.Expr {
	out := map[token.Pos]ast.Expr{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				out[n.Lbrace] = n
			case *ast.CallExpr:
				out[n.Lparen] = n
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
						out[id.Pos()] = begun(id, i, n.Rhs)
					}
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					out[id.Pos()] = begun(id, i, n.Values)
				}
			}
			return true
		})
	}
	return out
}

func begun(id *ast.Ident, i int, values []ast.Expr) ast.Expr {
	if i < len(values) {
		e := ast.Unparen(values[i])
		if u, ok := e.(*ast.UnaryExpr); ok {
			e = u.X
		}
		if lit, ok := e.(*ast.CompositeLit); ok {
			return lit
		}
	}
	return id
}
