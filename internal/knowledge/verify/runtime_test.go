package verify

import (
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/knowledge/check"
)

// runtime is the runtime package; its adapters lie below it.
const runtime = "github.com/doneby/doneby/deadline"

var runtimePackages = []string{runtime, runtime + "/deadlineconnect", runtime + "/deadlinegrpc", runtime + "/deadlineotel", runtime + "/deadlinesql"}

// needless is what the runtime package and its adapters export and no row is needed for, by the reason. A receiver is written
// as in rows, and the path left out.
var needless = map[string]string{
	"it says something of its own value": `
		(*Error).Error (*Error).Is (*Error).Temporary (*Error).Timeout (*Error).Unwrap (Reason).Error (Reason).Timeout
		(Action).String (Dialect).String (Kind).Histogram (Kind).String (Verdict).String
		(Dialect).Absolute (Dialect).Field (Dialect).Named (Dialect).Note (Server).Validate deadlinesql.(Dialect).String`,
	"it makes a value of values": `
		Constant Dialects Exponential Kinds NewThrottle NewTokens PushBack RequestStart SetObserver (Dialect).Append (Dialect).Parse
		deadlineotel.(Propagator).Fields`,
	"it reads a header": `MarkedExpired RetryAfter`,
	"it counts under a lock that nobody holds for long": `
		(*Estimate).Add (*Estimate).Longest (*Tokens).Failure (*Tokens).Request (*Tokens).Retry (*Tokens).Success`,
	"it answers a request, as a handler does":              `AnswerExpired`,
	"it is a function to be given, and called with a name": `AnyHost`,
}

// exceptions is needless by name.
func exceptions() map[string]string {
	byName := map[string]string{}
	for reason, names := range needless {
		for _, name := range strings.Fields(names) {
			path := runtime
			if adapter, rest, ok := strings.Cut(name, "."); ok && strings.HasPrefix(adapter, "deadline") {
				path, name = runtime+"/"+adapter, rest
			}
			if recv, method, ok := strings.Cut(name, ")."); ok {
				star := ""
				if strings.HasPrefix(recv, "(*") {
					star = "*"
				}
				name = "(" + star + path + "." + strings.TrimLeft(recv, "(*") + ")." + method
			} else {
				name = path + "." + name
			}
			byName[name] = reason
		}
	}
	return byName
}

// TestRuntimePackage holds the runtime package and its adapters to more than other libraries: all that they export has a row, or
// a reason why it needs none, so that the linter knows each call that it may tell people to make. TestUse calls every function
// that has a row, and holds the verdict against it.
func TestRuntimePackage(t *testing.T) {
	pkgs, known := load(t, runtimePackages), exceptions()
	for _, path := range runtimePackages {
		pkg := pkgs[path]
		if pkg == nil {
			t.Errorf("%s is not there", path)
			continue
		}
		for _, err := range check.Exports(pkg, knowledge.Builtin(), known) {
			t.Error(err)
		}
	}
}
