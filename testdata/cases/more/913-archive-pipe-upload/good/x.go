// Package good uploads support bundles in parts.
package good

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

const partSize = 8 << 20

// Bucket stores objects that are sent in parts.
type Bucket interface {
	Begin(ctx context.Context, key string) (upload string, err error)
	PutPart(ctx context.Context, upload string, n int, data []byte) error
	Finish(ctx context.Context, upload string) error
}

// Bundler collects files and uploads them as one archive.
type Bundler struct {
	files  fs.FS
	bucket Bucket
}

// New returns a bundler over the given files.
func New(files fs.FS, b Bucket) *Bundler { return &Bundler{files: files, bucket: b} }

// Upload writes everything below dir to key.
func (b *Bundler) Upload(ctx context.Context, dir, key string) error {
	upload, err := b.bucket.Begin(ctx, key)
	if err != nil {
		return fmt.Errorf("begin %s: %w", key, err)
	}
	archive := b.pack(dir)
	defer archive.Close()
	if err := b.send(ctx, upload, archive); err != nil {
		return fmt.Errorf("upload %s: %w", key, err)
	}
	return b.bucket.Finish(ctx, upload)
}

// pack returns the archive as it is being written.
func (b *Bundler) pack(dir string) *io.PipeReader {
	pr, pw := io.Pipe()
	go func() {
		pw.CloseWithError(b.write(pw, dir))
	}()
	return pr
}

func (b *Bundler) write(w io.Writer, dir string) error {
	zw := gzip.NewWriter(w)
	tw := tar.NewWriter(zw)
	err := fs.WalkDir(b.files, dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		return b.add(tw, path, e)
	})
	return errors.Join(err, tw.Close(), zw.Close())
}

func (b *Bundler) add(tw *tar.Writer, path string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil {
		return err
	}
	f, err := b.files.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	hdr := &tar.Header{Name: path, Mode: 0o644, Size: info.Size(), ModTime: info.ModTime()}
	if err := tw.WriteHeader(hdr); err != nil {
		return err
	}
	_, err = io.CopyN(tw, f, info.Size())
	return err
}

func (b *Bundler) send(ctx context.Context, upload string, r io.Reader) error {
	buf := make([]byte, partSize)
	for n := 1; ; n++ {
		size, err := io.ReadFull(r, buf)
		if err == io.EOF {
			return nil
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return err
		}
		if err := b.bucket.PutPart(ctx, upload, n, buf[:size]); err != nil {
			return fmt.Errorf("part %d: %w", n, err)
		}
	}
}
