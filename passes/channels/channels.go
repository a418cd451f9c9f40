// Package channels knows the channels, wait groups and condition variables of a package: who sends, receives and closes, with
// what room, and whether anybody out of sight may do so too.
//
// Values that may be the same channel are one class: a field is one whatever struct it is in, a slice or map is one with its
// elements, an argument with its parameter, a result with what is returned. The classes are found in one walk over the
// instructions, by uniting what is assigned; they do not depend on the order of the walk. A class is open when something of it
// comes from or goes to where this package cannot see.
//
// It does not tell two channels of one class apart, nor does it know in which order things happen: package summaries asks
// that of the functions.
package channels

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds the channels of a package and what is done with them.
var Analyzer = &analysis.Analyzer{
	Name:       "channels",
	Doc:        "know who sends to, receives from and closes each channel",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, contexts.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
}

// Result answers for one package.
type Result struct {
	policy.Mark
	waits map[*ssa.Function][]*Wait
	chans map[*ssa.Function][]*Chan
	ctx   *contexts.Result
	sites map[*ssa.Function][]contexts.Target // the calls in sight of each function, as it is called there
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

// Kind says what is done with a channel, a wait group or a condition variable, or that time alone is waited for.
type Kind uint8

const (
	Send Kind = iota
	Receive
	Range  // over a channel, until it is closed
	Close  // of a channel
	Select // of several sends and receives, without a default
	Done   // of a wait group
	Group  // the Wait of a wait group
	Wake   // Signal or Broadcast of a condition variable
	Cond   // the Wait of a condition variable
	Sleep
)

// Chan is a class of values that may be the same channel, wait group or condition variable.
type Chan struct {
	Makes []*ssa.MakeChan
	Ops   []*Op // in source order, those of test files left out
	Open  bool  // others may send, close, add or wake, or what is received comes from them
	Taken bool  // others may receive
	Lent  bool  // handed out by a function that others call
	Kept  bool  // a field or a package variable holds it: any number of calls have it
	Given bool  // comes from a call out of sight that was given a context: whoever made it is taken to close it at its end
}

// Op is something done with a channel. An op may run late, see Deferred.
type Op struct {
	Kind  Kind
	Instr ssa.Instruction
	Fn    *ssa.Function
	On    ssa.Value // the channel
	Chan  *Chan     // its class, nil for a channel that is nil
}

// Deferred reports whether the op runs when its function returns.
func (o *Op) Deferred() bool {
	_, ok := o.Instr.(*ssa.Defer)
	return ok
}

// Wait is an instruction that waits for another goroutine, or for time: nothing out of this process.
type Wait struct {
	Kind  Kind
	Instr ssa.Instruction
	Fn    *ssa.Function
	Cases []*Op // of a select, in order; else the one op; none for a sleep
}

// On returns the one channel that is waited on, or nil.
func (w *Wait) On() *Op {
	if len(w.Cases) == 1 && w.Kind != Select {
		return w.Cases[0]
	}
	return nil
}

// Waits returns the waits of fn in the order of its blocks; those of its literals are not among them.
func (r *Result) Waits(fn *ssa.Function) []*Wait { return r.waits[fn] }

// Chans returns the channels, wait groups and condition variables that fn does something to, in the order of its blocks.
func (r *Result) Chans(fn *ssa.Function) []*Chan { return r.chans[fn] }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	r := &Result{waits: make(map[*ssa.Function][]*Wait), chans: make(map[*ssa.Function][]*Chan), ctx: contexts.Of(pass),
		sites: make(map[*ssa.Function][]contexts.Target)}
	f := &finder{ir: code, ctx: r.ctx, pkg: pass.Pkg, r: r}
	f.ops()
	if len(f.found) > 0 {
		f.classes()
	}
	return r, nil
}

// Room returns the room of the channels of a class: the least of what they are made with, -1 when one of them is not known.
func (c *Chan) Room() int64 {
	least := int64(-1)
	for _, m := range c.Makes {
		size, ok := m.Size.(*ssa.Const)
		if !ok {
			return -1
		}
		if n := size.Int64(); least < 0 || n < least {
			least = n
		}
	}
	return least
}

// Has reports whether a thing of that kind is done somewhere in sight.
func (c *Chan) Has(k Kind) bool {
	for _, o := range c.Ops {
		if o.Kind == k {
			return true
		}
	}
	return false
}

// Local reports whether every channel of the class is made in the function declared as home or in its literals, and none comes
// from elsewhere.
func (c *Chan) Local(home *ssa.Function) bool {
	for _, m := range c.Makes {
		if outermost(m.Parent()) != home {
			return false
		}
	}
	return len(c.Makes) > 0 && !c.Open
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Element returns the type of what goes through the channels of the class that v is of.
func Element(v ssa.Value) types.Type {
	if c, ok := v.Type().Underlying().(*types.Chan); ok {
		return c.Elem()
	}
	return nil
}
