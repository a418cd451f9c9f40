package lib

import (
	"errors"
	"log"
	"os"
)

func Die(msg string) { // want Die:"noReturn"
	log.Print(msg)
	os.Exit(1)
}

func Fatal() { // want Fatal:"noReturn"
	log.Fatal("x")
}

func Panics() { // want Panics:"noReturn"
	panic("x")
}

func Forever() { // want Forever:"noReturn"
	for {
	}
}

// May returns on one path.
func May(b bool) {
	if b {
		Die("x")
	}
}

func Recovers() {
	defer func() { recover() }()
	panic("x")
}

type T struct{}

func (T) Die() { // want Die:"noReturn"
	Die("method")
}

func Generic[X any](X) { // want Generic:"noReturn"
	Die("generic")
}

// Ping and Pong only call each other: the cycle is cut, and neither is said never to return.
func Ping() { Pong() }
func Pong() { Ping() }

// Value uses the result of what never returns: only a call for its effect is a candidate, as in x/tools.
func Value() error { return errors.New("x") }

// After is what tests look for.
func After() {}
