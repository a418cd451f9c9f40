package policy

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/passes/settings"
)

// caught calls run. A panic or an error comes back as the reason, never as an error: on an error unitchecker loses every
// fact of the package without a word, and golangci-lint stops.
func caught[R any](pass *analysis.Pass, run func(*analysis.Pass) (*R, error)) (res *R, why string) {
	defer func() {
		if v := recover(); v != nil {
			res, why = nil, Panicked(pass, v)
		}
	}()
	res, err := run(pass)
	if err != nil {
		return nil, fmt.Sprintf("analyzer %s: %v", pass.Analyzer.Name, err)
	}
	return res, ""
}

// Panicked says, in one line, that the pass's analyzer panicked with v and in which function. It is called by the deferred
// function that recovered v, while the stack is still there; under -debug it prints the stack.
func Panicked(pass *analysis.Pass, v any) string {
	why := fmt.Sprintf("analyzer %s: panic: %s; in %s", pass.Analyzer.Name, firstLine(fmt.Sprint(v)), panickedIn())
	if cfg, ok := pass.ResultOf[settings.Analyzer].(*settings.Config); ok && cfg.Debug {
		fmt.Fprintf(os.Stderr, "doneby: %s: %s\n%s", pass.Pkg.Path(), why, debug.Stack())
	}
	return why
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// panickedIn returns the function that panicked: the first one below the runtime's own, without the path of its package.
func panickedIn() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicking := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(frame.Function, "runtime."):
			return frame.Function[strings.LastIndexByte(frame.Function, '/')+1:]
		}
		if !more {
			return "an unknown function"
		}
	}
}
