package store

import (
	"net/http"
	"net/http/httptest"
	"testing"

	_ "demo.example/memdb"
)

func TestFind(t *testing.T) {
	s, err := Open("memdb")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Insert(t.Context(), Order{7, "tea"}); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o, _ := s.FindContext(r.Context(), 7)
		w.Write([]byte(o.Item))
	}))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if o, err := s.Find(7); err != nil || o.Item != "tea" {
		t.Errorf("found %v, %v", o, err)
	}
}
