package prices

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"demo.example/wire"
)

// Serve answers on ln until ctx is done.
func Serve(ctx context.Context, ln net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /quote/{item}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, 100*len(r.PathValue("item")))
	})
	mux.HandleFunc("GET /ready", func(http.ResponseWriter, *http.Request) {})
	srv := &http.Server{Handler: wire.Accept(mux), ReadHeaderTimeout: 2 * time.Second, IdleTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { srv.Close() })
	defer stop()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
