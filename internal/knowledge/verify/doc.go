// Package verify holds the tables about libraries against the libraries: a module of its own, so that what they need stays
// out of the linter's go.mod. go.mod pins the versions that were looked at; `go test ./...` here is the whole of it.
package verify
