package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Files are names and what they hold.
type Files map[string]string

// Pack makes an archive.
func Pack(files Files) ([]byte, error) {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for name, body := range files {
		if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(body))}); err != nil {
			return nil, err
		}
		if _, err := io.Copy(tw, strings.NewReader(body)); err != nil {
			return nil, err
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), zw.Close()
}

// Replayer sends stored requests through a handler of this process.
type Replayer struct {
	h http.Handler
}

// NewReplayer replays into h.
func NewReplayer(h http.Handler) *Replayer { return &Replayer{h: h} }

// Replay sends one stored request.
func (r *Replayer) Replay(ctx context.Context, method, path, body string) (string, error) {
	rec := httptest.NewRecorder()
	req, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.h.ServeHTTP(rec, req.WithContext(ctx))
	if rec.Code >= 400 {
		return "", fmt.Errorf("%s %s: %d", method, path, rec.Code)
	}
	out, err := io.ReadAll(rec.Body)
	return string(out), err
}
