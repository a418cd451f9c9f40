package servers

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/passtest"
)

const lib = `package lib
import ("net"; "net/http"; "time")
type Server struct { http.Server; addr string }
func Build(addr string) *Server { return &Server{addr: addr} }
func (s *Server) Handle(h http.Handler) *Server { s.Handler = h; return s }
func (s *Server) Limit(d time.Duration) *Server { s.ReadTimeout = d; return s }
func (s *Server) Start() error { return s.listen() }
func (s *Server) listen() error { return s.ListenAndServe() }
func Bounded() *http.Server { return &http.Server{ReadTimeout: 1} }
func Served(l net.Listener) *http.Server { s := &http.Server{}; go s.Serve(l); return s }
func Either(s *http.Server) *http.Server { if s == nil { s = &http.Server{} }; return s }
`

const src = `package p
import ("net"; "net/http"; "time"; "example.com/lib")
type server interface { Serve(net.Listener) error; Close() error }
type app struct { srv *http.Server; any server }
func newApp() *app { return &app{srv: &http.Server{WriteTimeout: 1}, any: &http.Server{IdleTimeout: 1}} }
func (a *app) run(l net.Listener) { go a.srv.Serve(l); a.any.Serve(l) }
func built() { lib.Build("").Handle(nil).Start() }
func limited() { lib.Build("").Limit(time.Second).Start() }
func bounded(l net.Listener) { lib.Bounded().Serve(l) }
func served(l net.Listener) { lib.Served(l).Serve(l) }
func either(l net.Listener) { lib.Either(&http.Server{ReadTimeout: 1}).Serve(l) }
func unserved() *http.Server { return &http.Server{} }
`

// TestFacts wants what other packages have to know of a function that is given servers or returns them.
func TestFacts(t *testing.T) {
	got := passtest.Run(t, Analyzer, passtest.One("example.com/lib", lib))[0].Facts()
	want := []string{
		"*Server.Handle: returns param 0", "*Server.Limit: bounds param 0; returns param 0", "*Server.Start: serves param 0",
		"Build: returns a bare server", "Either: returns param 0; returns a bare server",
	}
	got = slices.DeleteFunc(got, func(fact string) bool { return strings.Contains(fact, ": waits in ") }) // of package summaries
	if !reflect.DeepEqual(got, want) {
		t.Errorf("facts\n%q, want\n%q", got, want)
	}
}

// TestServed wants the servers of a package that has some of its own and some of another's, with their bounds.
func TestServed(t *testing.T) {
	res := passtest.Run(t, Analyzer, passtest.One("example.com/lib", lib), passtest.One("example.com/p", src))
	var got []string
	for _, s := range res[1].Value.(*Result).Served() {
		got = append(got, fmt.Sprintf("%d %s %t %t", res[1].Pass.Fset.Position(s.Pos).Line, s.Name, s.Has.HasHeader(), s.Has.HasIdle()))
	}
	want := []string{
		"5 http.Server false false", "5 http.Server false true", "7 http.Server of lib.Build false false",
		"8 http.Server of lib.Build true true", "11 http.Server of lib.Either false false", "11 http.Server true true",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("served\n%q, want\n%q", got, want)
	}
}
