// Package s3 is a stub for tests.
package s3

import "context"

type Options struct{}

type PutObjectInput struct{}

type PutObjectOutput struct{}

type Client struct{}

func (c *Client) PutObject(ctx context.Context, params *PutObjectInput, optFns ...func(*Options)) (*PutObjectOutput, error) {
	return nil, nil
}
