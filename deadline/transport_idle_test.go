package deadline

import (
	"net/http"
	"testing"
)

// idler is a RoundTripper that keeps connections.
type idler struct {
	http.RoundTripper
	closed int
}

func (i *idler) CloseIdleConnections() { i.closed++ }

// TestCloseIdleConnections wants a client to get at the connections beneath, and to get by where there are none.
func TestCloseIdleConnections(t *testing.T) {
	beneath := &idler{}
	(&http.Client{Transport: &Transport{Base: beneath}}).CloseIdleConnections()
	if beneath.closed != 1 {
		t.Errorf("closed %d times", beneath.closed)
	}
	(&http.Client{Transport: &Transport{Base: struct{ http.RoundTripper }{beneath}}}).CloseIdleConnections()
	if beneath.closed != 1 {
		t.Error("closed what cannot be seen")
	}
	(&http.Client{Transport: &Transport{}}).CloseIdleConnections() // those of http.DefaultTransport
}
