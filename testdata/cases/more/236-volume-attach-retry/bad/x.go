package volumes

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Cloud is the API of the provider.
type Cloud interface {
	Attach(ctx context.Context, volume, node string) (device string, err error)
	Detach(ctx context.Context, volume string) error
}

// Driver attaches volumes to nodes.
type Driver struct {
	cloud Cloud
	tries int
	pause time.Duration
}

// NewDriver tries everything some times.
func NewDriver(c Cloud) *Driver { return &Driver{cloud: c, tries: 6, pause: 2 * time.Second} }

type final struct{ error }

func (f final) Unwrap() error { return f.error }

func again[T any](tries int, pause time.Duration, fn func() (T, error)) (T, error) {
	v, err := fn()
	var f final
	if err == nil || tries <= 1 || errors.As(err, &f) {
		return v, err
	}
	time.Sleep(pause) // ALT(retry)
	return again(tries-1, 2*pause, fn)
}

// Publish attaches a volume and gives its device.
func (d *Driver) Publish(ctx context.Context, volume, node string) (string, error) {
	if volume == "" || node == "" {
		return "", errors.New("volume and node are needed")
	}
	dev, err := again(d.tries, d.pause, func() (string, error) { // BUG(retry)
		return d.cloud.Attach(ctx, volume, node)
	})
	if err != nil {
		return "", fmt.Errorf("attach %s: %w", volume, err)
	}
	return dev, nil
}

// Unpublish detaches a volume.
func (d *Driver) Unpublish(ctx context.Context, volume string) error {
	_, err := again(d.tries, d.pause, func() (struct{}, error) { // ALT(retry)
		return struct{}{}, d.cloud.Detach(ctx, volume)
	})
	return err
}
