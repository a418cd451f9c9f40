// Package cobra has the few signatures of github.com/spf13/cobra that the READMEs' programs use.
package cobra

import "context"

type Command struct {
	Use  string
	Run  func(cmd *Command, args []string)
	RunE func(cmd *Command, args []string) error
}

func (*Command) Context() context.Context                 { return nil }
func (*Command) Execute() error                           { return nil }
func (*Command) ExecuteContext(ctx context.Context) error { return nil }
