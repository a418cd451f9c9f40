package driver

import "context"

// A Listing is what the go command said about packages and the build. The zero Listing has not asked yet.
type Listing struct {
	asked    bool
	pkgs     []*listed
	warnings []string
	salt     string
	env      buildEnv
}

// ask asks the go command, unless it did before.
func (l *Listing) ask(ctx context.Context, o Options) error {
	if l.asked {
		return nil
	}
	hashed := make(chan error, 1)
	go func() {
		var err error
		l.salt, l.env, err = salt(ctx, o)
		hashed <- err
	}()
	var err error
	l.pkgs, l.warnings, err = goList(ctx, o)
	saltErr := <-hashed
	if err == nil {
		err = saltErr
	}
	l.asked = err == nil
	return err
}
