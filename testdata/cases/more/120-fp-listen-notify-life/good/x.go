package pgnotify

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Notifier forwards notifications of one channel.
type Notifier struct {
	dsn    string
	topic  string
	use    func(payload string)
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func Start(dsn, topic string, use func(string)) *Notifier {
	ctx, cancel := context.WithCancel(context.Background())
	n := &Notifier{dsn: dsn, topic: topic, use: use, cancel: cancel}
	n.wg.Add(1)
	go func() {
		defer n.wg.Done()
		n.run(ctx)
	}()
	return n
}

func (n *Notifier) Stop() {
	n.cancel()
	n.wg.Wait()
}

func (n *Notifier) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, n.dsn)
	if err != nil {
		return nil, err
	}
	if _, err := c.Exec(ctx, "LISTEN "+pgx.Identifier{n.topic}.Sanitize()); err != nil {
		c.Close(ctx)
		return nil, err
	}
	return c, nil
}

func (n *Notifier) session(ctx context.Context) error {
	c, err := n.connect(ctx)
	if err != nil {
		return err
	}
	defer func() {
		cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		c.Close(cctx)
	}()
	for {
		msg, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		n.use(msg.Payload)
	}
}

func (n *Notifier) run(ctx context.Context) {
	for ctx.Err() == nil {
		err := n.session(ctx)
		if ctx.Err() != nil {
			return
		}
		slog.Warn("listener lost", "err", err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}
