// Package api has the few signatures of github.com/hashicorp/consul/api that the READMEs' programs use.
package api

import "net/http"

type (
	Client struct{}
	Config struct{ HttpClient *http.Client }
	Status struct{}
)

func DefaultConfig() *Config                    { return &Config{} }
func NewClient(config *Config) (*Client, error) { return &Client{}, nil }
func (c *Client) Status() *Status               { return &Status{} }
func (s *Status) Peers() ([]string, error)      { return nil, nil }
