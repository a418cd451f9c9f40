package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// Client talks to the local API.
type Client struct {
	base string
	hc   *http.Client
}

// Bouncers lists the bouncers that are registered.
func (c *Client) Bouncers(ctx context.Context) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/v1/bouncers", nil)
	if err != nil {
		return nil, err
	}
	res, err := c.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var names []string
	return names, json.NewDecoder(res.Body).Decode(&names)
}

type bouncerCmd struct {
	client *Client
	since  time.Duration
}

// NewBouncerCmd is the command that lists bouncers.
func NewBouncerCmd(base string) *cobra.Command {
	b := &bouncerCmd{client: &Client{base: base, hc: http.DefaultClient}}
	cmd := &cobra.Command{
		Use:  "list",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.list(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().DurationVar(&b.since, "since", 0, "seen since")
	return cmd
}

func (b *bouncerCmd) list(ctx context.Context, out io.Writer) error {
	names, err := b.client.Bouncers(ctx)
	if err != nil {
		return fmt.Errorf("cannot list: %w", err)
	}
	for _, n := range names {
		fmt.Fprintln(out, n)
	}
	return nil
}
