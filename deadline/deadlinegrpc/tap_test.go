package deadlinegrpc

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
	"google.golang.org/grpc/tap"
)

// names notes those of the events.
type names []string

func (n *names) Observe(_ context.Context, e deadline.Event) { *n = append(*n, e.Name) }

// Before a method is looked for, its name is the caller's word: only a declared one is told.
func TestTapTellsDeclaredNames(t *testing.T) {
	told := &names{}
	deadline.SetObserver(told)
	defer deadline.SetObserver(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	handle := Server{Methods: map[string]Method{"/orders/List": {}}}.Tap()
	for _, method := range []string{"/orders/List", "/made/up"} {
		if _, err := handle(ctx, &tap.Info{FullMethodName: method}); err == nil {
			t.Errorf("%s was let in", method)
		}
	}
	if !slices.Equal(*told, names{"/orders/List", ""}) {
		t.Errorf("told of %q", *told)
	}
}
