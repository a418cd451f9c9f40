package summaries

import (
	"go/types"
	"slices"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/internal/words"
)

// A hook is what users of a package may plug in, to be told of something: it may be missing, and a good one returns at once. That its
// signature has a context does not say that it waits.

// pluggedIn reports whether a method of an interface is a hook, by its name or the interface's.
func pluggedIn(m *types.Func) bool {
	if !typeset.IsInterfaceMethod(m) {
		return false
	}
	n := typeset.Named(typeset.Receiver(m))
	return told(m.Name()) || n != nil && slices.ContainsFunc(words.Of(n.Obj().Name()), func(w string) bool {
		return slices.Contains(hookWords, w)
	})
}

// told reports whether a function's name says that it is told of something: OnConfig, onFinalize.
func told(name string) bool {
	ws := words.Of(name)
	return len(ws) > 1 && ws[0] == "on" || len(ws) > 0 && slices.Contains(hookWords, ws[len(ws)-1])
}

var hookWords = []string{"hook", "hooks", "plugin", "plugins", "callback", "callbacks", "observer"}
