package servers

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/words"
	"github.com/doneby/doneby/passes/contexts"
)

// probe is a pattern under which metrics, profiles, health and the like are served.
var probe = regexp.MustCompile(`^(?:[A-Z]+ )?[^/ ]*/(?:-/)?(?:metrics|debug|pprof|vars|health|healthz|livez?|alive|readyz?|readiness|liveness|ping|status|version)(?:[/{]|$)`)

// local is an address that only this machine reaches.
var local = regexp.MustCompile(`^(?:localhost|127\.0\.0\.1|\[::1\]):`)

// debug reports whether a server serves metrics, profiles or probes and nothing else, as far as its handlers tell, or who wrote it
// says so.
func (b *book) debug(handlers []ssa.Value, addr ssa.Value, at token.Pos) bool {
	if b.namedDebug(at) || local.MatchString(b.byDefault(addr)) {
		return true
	}
	if len(handlers) == 0 {
		handlers = []ssa.Value{nil}
	}
	for _, h := range handlers {
		if !b.debugHandler(h) {
			return false
		}
	}
	return true
}

func (b *book) debugHandler(h ssa.Value) bool {
	if c, ok := h.(*ssa.Const); h == nil || ok && c.IsNil() {
		patterns := b.patterns(nil)
		return b.importsDebug() || len(patterns) > 0 && allProbes(patterns)
	}
	src := ssawalk.Source(h)
	if c, ok := src.(*ssa.Call); ok && fromDebugPackage(ssawalk.CalleeName(c)) {
		return true
	}
	patterns := b.patterns(h)
	return len(patterns) > 0 && allProbes(patterns)
}

func fromDebugPackage(name string) bool {
	return strings.Contains(name, "/promhttp.") || strings.HasPrefix(name, "expvar.") || strings.HasPrefix(name, "net/http/pprof.")
}

// debugWords are what people call servers for metrics, profiles, probes and a developer at work, and what belongs to these.
var debugWords = []string{
	"debug", "debugger", "dev", "devel", "development", "diagnostics", "expvar", "health", "healthcheck", "healthz",
	"liveness", "metric", "metrics", "monitor",
	"monitoring", "pprof", "probe", "probes", "prof", "profile", "profiler", "profiles", "profiling", "prom", "prometheus",
	"readiness", "statistics", "stats", "statsviz", "telemetry",
}

// namedDebug reports whether the names around the server say what it is for: those of the function and the package, what it is
// assigned to, the address it is given, the condition under which it is served.
func (b *book) namedDebug(at token.Pos) bool {
	said := b.pass.Pkg.Name()
	for _, file := range b.pass.Files {
		if at < file.FileStart || at >= file.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(file, at, at)
		for _, n := range path {
			said += " " + namesIn(n, at)
		}
	}
	return slices.ContainsFunc(words.Of(said), func(w string) bool { return slices.Contains(debugWords, w) })
}

// namesIn returns the names that a node around a server gives it.
func namesIn(n ast.Node, at token.Pos) string {
	var said []string
	switch n := n.(type) {
	case *ast.FuncDecl:
		said = append(said, n.Name.Name)
		if n.Recv != nil && len(n.Recv.List) > 0 {
			said = append(said, types.ExprString(n.Recv.List[0].Type))
		}
	case *ast.KeyValueExpr:
		said = append(said, types.ExprString(n.Key))
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			said = append(said, types.ExprString(l))
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			said = append(said, name.Name)
		}
	case *ast.GoStmt:
		return namesIn(n.Call, at)
	case *ast.CallExpr:
		if len(n.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(types.ExprString(n.Fun), "TLS"), "Serve") {
			said = append(said, types.ExprString(n.Args[0]), nameOfHandler(n.Args[len(n.Args)-1]))
		}
	case *ast.IfStmt:
		if at >= n.Body.Pos() && at < n.Body.End() && !denies(n.Cond) {
			said = append(said, types.ExprString(n.Cond))
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && types.ExprString(kv.Key) == "Addr" {
				said = append(said, types.ExprString(kv.Value))
			}
		}
	}
	return strings.Join(said, " ")
}

// nameOfHandler returns the name of a handler, "" for one that a call makes, which may have been given anything.
func nameOfHandler(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return types.ExprString(e)
	}
	return ""
}

// denies reports whether a condition holds where what it names is not so.
func denies(cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		return e.Op == token.EQL || denies(e.X) || denies(e.Y)
	}
	return false
}

// importsDebug reports whether the package fills the default mux with profiles or counters.
func (b *book) importsDebug() bool {
	for _, f := range b.pass.Files {
		for _, imp := range f.Imports {
			if imp.Path.Value == `"net/http/pprof"` || imp.Path.Value == `"expvar"` {
				return true
			}
		}
	}
	return false
}

func allProbes(patterns []string) bool {
	for _, p := range patterns {
		if !probe.MatchString(p) {
			return false
		}
	}
	return true
}

// registers names the methods by which muxes and routers take a pattern and a handler.
var registers = map[string]bool{
	"Handle": true, "HandleFunc": true, "Get": true, "Post": true, "Put": true, "Delete": true, "GET": true, "POST": true, "PUT": true, "DELETE": true,
}

// patterns returns the patterns under which the package registers handlers on a mux; nil is the default one. A pattern that is not
// constant is "".
func (b *book) patterns(mux ssa.Value) []string {
	var out []string
	for _, fn := range b.ir.Funcs {
		if b.ir.InTest(fn) {
			continue
		}
		for call := range ssawalk.Calls(fn) {
			s := ssawalk.Resolve(call)
			if s.Func == nil || !registers[s.Func.Name()] || len(s.Args) < 2 {
				continue
			}
			if mux == nil && s.Recv == nil && s.Func.Pkg().Path() == "net/http" || mux != nil && s.Recv != nil && sameMux(s.Recv, mux) {
				out = append(out, text(s.Arg(0)))
			}
		}
	}
	return out
}

// sameMux reports whether two values are one mux: one variable, or one field.
func sameMux(x, y ssa.Value) bool {
	x, y = ssawalk.Source(x), ssawalk.Source(y)
	if x == y {
		return true
	}
	f, _ := ssawalk.Field(x)
	g, _ := ssawalk.Field(y)
	if f != nil && f == g {
		return true
	}
	return storedIn(x, y) || storedIn(y, x)
}

// storedIn reports whether a is kept in the field that y reads.
func storedIn(a, y ssa.Value) bool {
	load, ok := y.(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || a.Referrers() == nil {
		return false
	}
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Val == a {
			if to, ok := st.Addr.(*ssa.FieldAddr); ok && contexts.FieldOf(to) == contexts.FieldOf(fa) {
				return true
			}
		}
	}
	return false
}
