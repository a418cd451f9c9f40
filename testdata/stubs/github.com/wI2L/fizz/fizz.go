// Package fizz has the few signatures of github.com/wI2L/fizz that the READMEs' programs use.
package fizz

import "context"

type Operation struct{ ID string }

func OperationFromContext(ctx context.Context) (*Operation, error) { return nil, nil }
