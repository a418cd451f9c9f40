package summaries

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// incomplete is the fact of a package that could not be analysed whole: its functions are unknown.
type incomplete struct{ Why string }

func (*incomplete) AFact()           {}
func (f *incomplete) String() string { return "incomplete: " + f.Why }

// waitsFact is the fact of a function: how it waits, in terms of its parameters. It needs no other fact.
type waitsFact struct {
	Waits []factWait
	Calls []factCall
}

type factWait struct {
	Traits
	End             End
	Param           int
	For             time.Duration
	Name, Use, Root string
	Via             []string
}

// factCall says that the function calls its parameter Param, a function, with these contexts.
type factCall struct {
	Param int
	Async bool
	Args  []factArg
}

type factArg struct {
	Arg   int // of the call
	Kind  contexts.Kind
	Param int // for kind Param
	Own   bool
	For   time.Duration
	Name  string
}

func (*waitsFact) AFact() {}

func (f *waitsFact) String() string {
	var parts []string
	for _, w := range f.Waits {
		s := "waits in " + w.Name
		switch w.End {
		case ByParam:
			s += fmt.Sprintf(" on param %d", w.Param)
		case ByRoot:
			s += " under " + w.Root
		case ByNothing:
			s += " without a context"
		}
		switch {
		case w.For > 0:
			s += " within " + w.For.String()
		case w.Own:
			s += " bounded"
		}
		if len(w.Via) > 0 {
			s += " via " + strings.Join(w.Via, ", ")
		}
		parts = append(parts, s)
	}
	for _, c := range f.Calls {
		parts = append(parts, fmt.Sprintf("calls param %d", c.Param))
	}
	return strings.Join(parts, "; ")
}

// export writes the facts of the functions that other packages can name, and of the methods of interfaces whose
// implementers are all in sight.
func (r *Result) export() {
	for _, fn := range r.ir.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || r.ir.InTest(fn) || !typeset.Exported(obj) || r.sums[fn] == nil {
			continue
		}
		if f := r.fact(fn); f != nil {
			r.pass.ExportObjectFact(obj, f)
		}
	}
	r.impls.export(r)
}

// fact returns the fact of fn, nil when it neither waits nor calls what it is given.
func (r *Result) fact(fn *ssa.Function) *waitsFact {
	out := new(waitsFact)
	seen := make(map[factKey]bool)
	for _, w := range r.sums[fn].waits.sorted() {
		if w.Given && len(w.Via) == 0 {
			continue // told by Calls
		}
		if w.Name == timed {
			continue // the callers of its own package are judged
		}
		x := factWait{Traits: w.Traits, End: w.End, For: w.For, Name: w.Name, Use: w.Use, Root: w.Root, Via: w.Via}
		if w.End == ByParam {
			if x.Param = paramIndex(fn, w.Param); x.Param < 0 {
				continue // of a function that encloses a literal
			}
		} else if r.spoken[w.Src] {
			continue // reported here, or there on purpose
		}
		k := factKey{x.Traits, x.End, x.Param}
		if !seen[k] {
			seen[k] = true
			out.Waits = append(out.Waits, x)
		}
	}
	for _, pc := range r.sums[fn].funcs {
		out.Calls = append(out.Calls, factOfCall(fn, pc))
	}
	if len(out.Waits)+len(out.Calls) == 0 {
		return nil
	}
	return out
}

// factKey keeps one wait of each sort: the nearest comes first.
type factKey struct {
	traits Traits
	end    End
	param  int
}

func factOfCall(fn *ssa.Function, pc paramCall) factCall {
	out := factCall{Param: paramIndex(fn, pc.param), Async: pc.async}
	for i, s := range pc.args {
		for _, o := range s {
			a := factArg{Arg: i, Kind: o.Kind, Own: o.Bound.Own, For: o.Bound.For, Name: o.Name}
			if o.Kind == contexts.Param {
				if a.Param = paramIndex(fn, o.Param); a.Param < 0 {
					a.Kind = contexts.Unknown
				}
			}
			out.Args = append(out.Args, a)
		}
	}
	sort.SliceStable(out.Args, func(i, j int) bool { return out.Args[i].Arg < out.Args[j].Arg })
	return out
}

func paramIndex(fn *ssa.Function, p *ssa.Parameter) int {
	for i, q := range fn.Params {
		if p == q {
			return i
		}
	}
	return -1
}

// imported returns the fact of a function of another own package.
func (r *Result) imported(fn *types.Func) (*waitsFact, bool) {
	f := new(waitsFact)
	if fn.Pkg() == r.pass.Pkg || !r.pass.ImportObjectFact(fn, f) {
		return nil, r.ownElsewhere(fn)
	}
	return f, true
}

// ownElsewhere reports whether fn has its body in another own package that was analysed: then no fact means no wait.
func (r *Result) ownElsewhere(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Pkg() == r.pass.Pkg || typeset.IsInterfaceMethod(fn) {
		return false
	}
	return r.pass.ImportPackageFact(fn.Pkg(), new(analysed))
}

// ofFact applies a fact at a call.
func (r *Result) ofFact(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, f *waitsFact) []effect {
	if f == nil {
		return nil
	}
	name, pos := callName(t), c.Common().Pos()
	var out []effect
	for _, x := range f.Waits {
		if x.Flight && r.lands(fn, c) {
			continue // what it waits for takes no time
		}
		w := Wait{Traits: x.Traits, End: x.End, For: x.For, Name: x.Name, Use: x.Use, Root: x.Root, Via: x.Via, Src: pos, In: fn,
			Foreign: !x.Wrapper && x.End != ByParam}
		switch {
		case x.Wrapper && x.Retry:
			w = w.repeats(fn, c)
		case !x.Wrapper:
			w = w.through(name, pos)
		}
		e := effect{Wait: w, call: c, fn: fn}
		if x.End == ByParam {
			e.set = contexts.Set{{Kind: contexts.Unknown}}
			if x.Param < len(t.Args) {
				e.set = r.ctx.Origins(t.Args[x.Param])
			}
		}
		out = append(out, e)
	}
	for _, call := range f.Calls {
		out = append(out, r.ofFactCall(fn, c, t, call, pos)...)
	}
	return out
}

// ofFactCall is what a callee in another package makes of a function that it is given.
func (r *Result) ofFactCall(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, call factCall, pos token.Pos) []effect {
	if call.Param < 0 || call.Param >= len(t.Args) {
		return nil
	}
	var sets []contexts.Set
	for _, a := range call.Args {
		for len(sets) <= a.Arg {
			sets = append(sets, nil)
		}
		b := contexts.Bound{Own: a.Own, For: a.For}
		if a.Kind == contexts.Param && a.Param < len(t.Args) {
			sets[a.Arg] = sets[a.Arg].Join(r.ctx.Origins(t.Args[a.Param]).Bounded(b))
			continue
		}
		o := contexts.Origin{Kind: a.Kind, Name: a.Name, Bound: b, Pos: pos, In: fn}
		sets[a.Arg] = sets[a.Arg].Join(contexts.Set{o})
	}
	return unjoined(r.ofGiven(fn, c, t.Args[call.Param], sets, callName(t)), call.Async)
}

// analysed is the fact of every own package that was analysed: of its functions, no fact means no wait.
type analysed struct{}

func (*analysed) AFact()         {}
func (*analysed) String() string { return "analysed" }
