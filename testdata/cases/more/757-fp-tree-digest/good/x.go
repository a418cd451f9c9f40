// Package good computes the digest of a directory tree.
package good

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Digester hashes files.
type Digester struct {
	chunk  int
	ignore func(path string) bool
}

// New makes a Digester.
func New(ignore func(string) bool) *Digester { return &Digester{chunk: 256 << 10, ignore: ignore} }

func (d *Digester) file(ctx context.Context, h hash.Hash, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, d.chunk)
	buf := make([]byte, d.chunk)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		n, err := r.Read(buf)
		h.Write(buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
}

// Sum returns the digest of all regular files below root.
func (d *Digester) Sum(ctx context.Context, root string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.ignore != nil && d.ignore(p) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() {
			return nil
		}
		fmt.Fprintln(h, p)
		return d.file(ctx, h, p)
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
