// Package layer uploads a directory as one compressed archive.
package layer

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"time"
)

// Tokens gives upload tokens.
type Tokens interface {
	Token(ctx context.Context, scope string) (string, error)
}

// Uploader sends archives to a registry.
type Uploader struct {
	base   string
	tokens Tokens
	hc     *http.Client
}

func NewUploader(base string, t Tokens) *Uploader {
	return &Uploader{base: base, tokens: t, hc: &http.Client{Timeout: 10 * time.Minute}}
}

func pack(w io.Writer, tree fs.FS) error {
	zw := gzip.NewWriter(w)
	tw := tar.NewWriter(zw)
	if err := tw.AddFS(tree); err != nil {
		return err
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return zw.Close()
}

// Upload streams tree to the repository name.
func (u *Uploader) Upload(ctx context.Context, name string, tree fs.FS) error {
	pr, pw := io.Pipe()
	defer pr.Close()
	go func() {
		pw.CloseWithError(pack(pw, tree))
	}()
	tok, err := u.tokens.Token(ctx, "push:"+name)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, u.base+"/"+name, pr)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+tok)
	return u.send(req)
}

func (u *Uploader) send(req *http.Request) error {
	resp, err := u.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		return fmt.Errorf("upload: %s", resp.Status)
	}
	return nil
}
