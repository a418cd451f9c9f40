package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
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
	b := w.Instr.Block()
	if f == nil || f.Name() != "C" || len(b.Preds) != 1 {
		return false
	}
	branch, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond, stopped := loops.Plain(branch.Cond, b.Preds[0].Succs[0] == b)
	stop, ok := cond.(*ssa.Call)
	return ok && !stopped && calledIs(stop, "(*time.Timer).Stop") && sameValue(stop.Call.Args[0], on)
}
