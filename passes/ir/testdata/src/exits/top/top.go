package top

import (
	"exits/lib"
)

func Direct() { // want Direct:"noReturn"
	lib.Die("x")
	lib.After()
}

func Method(t lib.T) { // want Method:"noReturn"
	t.Die()
	lib.After()
}

func Instance() { // want Instance:"noReturn"
	lib.Generic(1)
	lib.After()
}

func Literal() func() {
	return func() {
		(lib.Fatal)()
		lib.After()
	}
}

// table's literals belong to no declared function; those of tests follow the same order.
var table = map[string]func(){
	"literal": func() {
		func() { lib.Ping() }()
	},
}

func Returns() {
	lib.May(true)
	lib.Recovers()
	lib.Ping()
	lib.After()
}
