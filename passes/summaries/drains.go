package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// drains reports whether a receive takes what a timer has sent that could not be stopped any more: it is there (time, Timer.Reset).
//
//	if !t.Stop() {
//		<-t.C
//	}
func drains(w *channels.Wait) bool {
	load, ok := ssawalk.Source(w.On().On).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	f, on := ssawalk.Field(load)
	if f == nil || f.Name() != "C" {
		return false
	}
	for cond, stopped := range conditions(w.Instr.Block()) {
		stop, ok := cond.(*ssa.Call)
		if ok && !stopped && calledIs(stop, "(*time.Timer).Stop") && sameValue(stop.Call.Args[0], on) {
			return true
		}
	}
	return false
}
