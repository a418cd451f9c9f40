package top

import (
	"testing"

	"exits/lib"
)

func TestX(t *testing.T) {
	t.Fatal("x")
	lib.After()
}

// helper never returns, but no fact says so: test code feeds nobody.
func helper(t *testing.T) { t.FailNow() }

var hook = func() { lib.Ping() }
