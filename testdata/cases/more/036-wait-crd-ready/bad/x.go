package install

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type Object struct {
	Kind, Name string
	Ready      bool
}

// Cluster applies and reads objects.
type Cluster interface {
	Apply(ctx context.Context, o Object) error
	Get(ctx context.Context, kind, name string) (Object, error)
}

var errGone = errors.New("object gone")

type Installer struct {
	cl    Cluster
	every time.Duration
	limit time.Duration
}

func New(cl Cluster) *Installer {
	return &Installer{cl: cl, every: 2 * time.Second, limit: 5 * time.Minute}
}

// Install applies objects in order; each must be ready before the next.
func (in *Installer) Install(ctx context.Context, objs ...Object) error {
	for _, o := range objs {
		if err := in.cl.Apply(ctx, o); err != nil {
			return fmt.Errorf("apply %s/%s: %w", o.Kind, o.Name, err)
		}
		if err := in.ready(ctx, o); err != nil {
			return fmt.Errorf("wait for %s/%s: %w", o.Kind, o.Name, err)
		}
	}
	return nil
}

func (in *Installer) ready(ctx context.Context, o Object) error {
	return wait.PollImmediate(in.every, in.limit, func() (bool, error) { // BUG(retry) ALT(noctx)
		cur, err := in.cl.Get(ctx, o.Kind, o.Name)
		if errors.Is(err, errGone) {
			return false, err
		}
		return err == nil && cur.Ready, nil
	})
}
