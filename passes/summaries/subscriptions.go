package summaries

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// What is subscribed to brings news until it is closed: the channel of a redis.PubSub is closed by its Close alone (go-redis, PubSub.Channel).
// A goroutine of each call that goes through it, where nobody closes what the call has subscribed to, stays when the caller has gone.
//
//	ps := client.Subscribe(ctx, room)
//	go func() {
//		for m := range ps.Channel() {
//			…
//		}
//	}()

// subscription is a value with an end of its own, made by a call out of sight, and a goroutine that waits for what it brings.
type subscription struct {
	r     *Result
	made  *ssa.Call
	index int // of the result
	value *aliases
	start *ssa.Go
	body  *ssa.Function
}

// judgeSubscription judges a goroutine that waits for what a subscription of the same call brings.
func (r *Result) judgeSubscription(c *court, fn *ssa.Function, start *ssa.Go) {
	body, _ := ssawalk.Function(start.Call.Value)
	if body == nil || len(body.Blocks) == 0 || len(r.reach(fn)) == 0 {
		return // out of sight; nothing says until when the call is of use
	}
	if r.oneShot(fn) || r.flow.cleanupFunc(fn) || r.flow.afterDone(start) {
		return // the program is over soon; part of ending something
	}
	if r.startedOnce(fn, start) && !givesChannel(fn) {
		return // one for the component, as far as can be told
	}
	if r.deaf.waitedHere(site{fn, start}, body) {
		return // whoever waits for it waits by a wait of its own
	}
	for _, w := range r.deaf.ops.Waits(body) {
		if s := r.subscribed(fn, start, body, w); s != nil && s.left(fn) && s.add(c, fn, w) {
			return
		}
	}
}

// add enters the verdict, in the place of what was said of the same wait without knowing whose channel it is; false where nothing is to be
// said.
func (s *subscription) add(c *court, fn *ssa.Function, w *channels.Wait) bool {
	r, at := s.r, s.r.deaf.at(w)
	row, kind := s.row(), "subscription"
	if !row.Opens {
		kind = "unclosed"
	}
	switch deaf, told := c.byPos[at]; {
	case row.Verb == knowledge.Binds && row.Ctx.Kind != knowledge.NoPlace:
		return false // the context that it was made with ends it
	case told && deaf.Kind != string(foreigns) && kind == "unclosed":
		return false // a kind that is shown to more people names the wait
	}
	delete(c.byPos, at)
	delete(c.byPos, s.start.Pos())
	wait := Wait{Name: r.deaf.span(w).text, Src: s.start.Pos(), In: fn}
	if name := calleeName(s.made); name != "" {
		wait.Path = []trace.Hop{{Pos: s.made.Pos(), Name: name}}
	}
	v := r.verdict("orphan", kind, wait, resultName(s.made, s.index, "what it has opened"), r.reach(fn))
	r.addStart(c, v, fn, s.start)
	return true
}

// givesChannel reports whether a function hands a channel to its caller: each call has a goroutine of its own, whatever it is called.
func givesChannel(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if _, ok := v.Type().Underlying().(*types.Chan); ok {
			return true
		}
	}
	return false
}

// subscribed returns the subscription whose channel a method gives and a bare receive or a range waits on; nil for any other wait.
func (r *Result) subscribed(fn *ssa.Function, start *ssa.Go, body *ssa.Function, w *channels.Wait) *subscription {
	if w.Kind != channels.Range && w.Kind != channels.Receive {
		return nil // it lists an end, or waits for something else
	}
	if r.deaf.endsItself(w) || endsOnly(w.On().On.Type()) {
		return nil // the context that its channel was made with ends it; it waits for the end of something, and for no news
	}
	feed, ok := startedWith(w.On().On, start, body).(*ssa.Call)
	if !ok {
		return nil
	}
	recv := ssawalk.Resolve(feed).Recv
	if recv == nil {
		return nil
	}
	s := &subscription{r: r, start: start, body: body}
	value := startedWith(recv, start, body)
	switch v := value.(type) {
	case *ssa.Call:
		s.made = v
	case *ssa.Extract:
		s.made, _ = v.Tuple.(*ssa.Call)
		s.index = v.Index
	}
	if s.made == nil || s.made.Parent() != fn && s.made.Parent() != body || !closes(value.Type()) {
		return nil // it is older than the call; nothing of its own ends it
	}
	s.value = aliasesOf(false, value)
	return s
}

// startedWith returns where a value comes from, through the argument of a go statement.
func startedWith(v ssa.Value, start *ssa.Go, body *ssa.Function) ssa.Value {
	v = ssawalk.Source(v)
	if p, ok := v.(*ssa.Parameter); ok && p.Parent() == body {
		for i, q := range body.Params {
			if p == q && i < len(start.Call.Args) {
				return ssawalk.Source(start.Call.Args[i])
			}
		}
	}
	return v
}

// closes reports whether values of type t are to be closed, stopped or unsubscribed by whoever has them.
func closes(t types.Type) bool {
	for _, name := range [...]string{"Close", "Stop", "Unsubscribe"} {
		if typeset.Method(t, name) != nil {
			return true
		}
	}
	return false
}

// row returns what the tables say of the call that made it.
func (s *subscription) row() knowledge.Row {
	targets, _ := s.r.ctx.Targets(s.made.Common())
	if len(targets) != 1 {
		return knowledge.Row{}
	}
	row, _ := s.r.ctx.Row(targets[0].Obj)
	return row
}

// left reports whether nobody closes it, and nobody is given it who might: the call and its goroutine only ask it for things.
func (s *subscription) left(fn *ssa.Function) bool {
	targets, _ := s.r.ctx.Targets(s.made.Common())
	for _, t := range targets {
		if t.Fn != nil && len(t.Fn.Blocks) > 0 {
			return false // what this package makes may end otherwise
		}
	}
	if s.ofCall() {
		return false // it ends with what it was made by
	}
	all := family(fn)
	if s.body.Parent() == nil {
		all = append(all, family(s.body)...)
	}
	s.follow(all)
	for _, f := range all {
		for in := range ssawalk.Instrs(f) {
			if s.value.used(in) && !s.asks(in) {
				return false
			}
		}
	}
	return true
}

// follow finds the names that functions have for it, captured or given to the goroutine.
func (s *subscription) follow(all []*ssa.Function) {
	for range 2 { // a literal may store what its maker reads
		for _, f := range all {
			s.value.spread(f)
		}
		for i, a := range s.start.Call.Args {
			if s.value.vals[a] && i < len(s.body.Params) {
				s.value.vals[s.body.Params[i]] = true
			}
		}
	}
}

// asks reports whether an instruction only calls a method on it that does not end it, or hands it to a literal or goroutine in sight.
func (s *subscription) asks(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Go:
		return in == s.start
	case *ssa.MakeClosure:
		for _, b := range in.Bindings {
			if s.value.vals[b] {
				return false // a method value: whoever has it may call it
			}
		}
		return true
	case *ssa.Call:
		site := ssawalk.Resolve(in)
		if site.Recv == nil || !s.value.vals[site.Recv] || site.Func == nil || ending(site.Func.Name()) {
			return false
		}
		for _, a := range site.Args {
			if s.value.has(a) {
				return false
			}
		}
		return true
	}
	return false
}

// ofCall reports whether it was made by something that the call has made too.
func (s *subscription) ofCall() bool {
	recv := ssawalk.Resolve(s.made).Recv
	if recv == nil {
		return false
	}
	switch v := startedWith(recv, s.start, s.body).(type) {
	case *ssa.Call, *ssa.Alloc:
		return true
	case *ssa.Extract:
		_, made := v.Tuple.(*ssa.Call)
		return made
	}
	return false
}

// resultName is how the source calls a result of a call, or what it is called where the source gives it no name.
func resultName(call *ssa.Call, i int, otherwise string) string {
	name := otherwise
	if call.Parent().Syntax() == nil {
		return name
	}
	ast.Inspect(call.Parent().Syntax(), func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for j, rhs := range as.Rhs {
			made, ok := ast.Unparen(rhs).(*ast.CallExpr)
			if !ok || made.Lparen != call.Pos() {
				continue
			}
			if id, named := as.Lhs[i+j].(*ast.Ident); named && id.Name != "_" { // one of i and j is 0
				name = id.Name
			}
		}
		return true
	})
	return name
}
