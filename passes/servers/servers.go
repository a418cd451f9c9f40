// Package servers finds the http.Servers that a package serves, and which bounds are set on each, wherever that is done.
//
// A server is an object: a literal, a new or a variable of type http.Server, or of a struct that has one by value, and what
// an own function of another package makes. Values lead to objects through variables, captured ones, fields (by all that is
// stored to them in the package), slices and maps (by all servers kept in any), returns and builders that return what they
// were called on. A copied server is one with its original. Events are set on objects: served, bounded. Base case: the
// methods and fields of http.Server. Step: a function that serves or bounds its parameter does so to what callers give.
// The functions are gone through until nothing changes; events only grow, over finitely many objects.
//
// Who might bound a server out of sight is taken to do so: a function value or a foreign function that is given one. It does
// not know who sets an exported field of a struct from another package that this one does not import.
package servers

import (
	"go/token"
	"reflect"
	"sort"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer finds servers and their bounds.
var Analyzer = &analysis.Analyzer{
	Name:       "servers",
	Doc:        "find the servers of a package and what bounds them",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, durations.Analyzer, contexts.Analyzer, summaries.Analyzer}, // the last for its turn with contexts
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(treats), new(seen)},
}

// Bound is a set of the timeouts of an http.Server.
type Bound uint8

const (
	Header Bound = 1 << iota // ReadHeaderTimeout
	Read                     // ReadTimeout, which stands in for Header and Idle
	Idle                     // IdleTimeout
	Write                    // WriteTimeout

	everything = Header | Read | Idle | Write // who may set one out of sight may set all
)

// HasHeader reports whether a client that never finishes its header is sent away.
func (b Bound) HasHeader() bool { return b&(Header|Read) != 0 }

// HasIdle reports whether a connection without a request is closed: the header bound does not stand in for it.
func (b Bound) HasIdle() bool { return b&(Idle|Read) != 0 }

// Server is a server that this package serves, or hands to an own function that does.
type Server struct {
	Pos, End token.Pos // the expression that makes it
	Name     string    // as a reader knows it: http.Server, http.ListenAndServe, httpx.Build
	Has      Bound
	Lacks    string // the field that would bound a client which never finishes: ReadHeaderTimeout
	Debug    bool   // it serves metrics, profiles or probes and nothing else
	Endless  bool   // its routes are all in this package, which gives no context a deadline
}

// Result lists the servers of one package.
type Result struct {
	policy.Mark
	served  []Server
	lasting []ssa.CallInstruction
}

// Served returns the servers that are served, in source order. None is of a test.
func (r *Result) Served() []Server { return r.served }

// Lasting returns the calls that make a gRPC server which surely never asks whether a silent client is still there.
func (r *Result) Lasting() []ssa.CallInstruction { return r.lasting }

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own
	}
	pass.ExportPackageFact(new(seen))
	out := &Result{lasting: lasting(code, contexts.Of(pass))}
	b := newBook(pass, code)
	if len(b.funcs) == 0 {
		return out, nil // no function has to do with an http.Server
	}
	for range maxRounds {
		b.changed = false
		for _, fn := range b.funcs {
			b.scan(fn)
		}
		if !b.changed {
			break
		}
	}
	out.served = b.list()
	sort.Slice(out.served, func(i, j int) bool { return out.served[i].Pos < out.served[j].Pos })
	b.export()
	return out, nil
}

// maxRounds is through how many calls of this package an event goes, the order of the source against it.
const maxRounds = 8
