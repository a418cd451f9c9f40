package inventory

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
)

type member struct {
	addr string
	rdb  *redis.Client
}

type report struct {
	Addr string
	Keys int64
	Err  error
}

func survey(ctx context.Context, members []member) []report {
	out := make([]report, 0, len(members))
	for _, m := range members {
		n, err := m.rdb.DBSize(ctx).Result()
		out = append(out, report{Addr: m.addr, Keys: n, Err: err})
	}
	return out
}

func open(addrs []string) (ms []member, closeAll func()) {
	for _, a := range addrs {
		ms = append(ms, member{addr: a, rdb: redis.NewClient(&redis.Options{Addr: a})})
	}
	return ms, func() {
		for _, m := range ms {
			_ = m.rdb.Close()
		}
	}
}

func NewCommand() *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{
		Use:  "survey ADDR...",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), limit)
			defer cancel()
			ms, done := open(args)
			defer done()
			for _, r := range survey(ctx, ms) {
				if r.Err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", r.Addr, r.Err)
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s\t%d\n", r.Addr, r.Keys)
			}
			return nil
		},
	}
	cmd.Flags().DurationVar(&limit, "timeout", 15*time.Second, "limit for all members together")
	return cmd
}
