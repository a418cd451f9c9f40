package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// A loop that sleeps and looks at its stop between two sleeps hears it late: when the sleep is over. Who gives the stop is not asked.

// judgeNaps judges the long sleeps, or those of unknown length, of a goroutine that polls a stop channel of its component.
func (d *deaf) judgeNaps(c *court) {
	for _, fn := range d.r.ir.Funcs {
		if d.r.ir.InTest(fn) || d.r.entries.TestCode(fn) || !d.runsApart(fn) {
			continue
		}
		for _, w := range d.ops.Waits(fn) {
			if w.Kind != channels.Sleep {
				continue
			}
			l := channels.LoopOf(w.Instr.Block())
			if n := d.pause(w); l == nil || n > 0 && n < lateness {
				continue // once, or soon over
			}
			if text := d.pollsStop(l); text != "" {
				d.tellStop(c, stop{text: text}, fn, d.at(w), w)
			}
		}
	}
}

// pollsStop returns the channel in a field that a loop looks at without waiting, and returns when something comes from it, or "".
func (d *deaf) pollsStop(l *channels.Loop) string {
	for b := range l.Blocks {
		for _, in := range b.Instrs {
			sel, ok := in.(*ssa.Select)
			if !ok || sel.Blocking || len(sel.States) != 1 {
				continue
			}
			ch := sel.States[0].Chan
			load, ok := ch.(*ssa.UnOp)
			if !ok || load.Op != token.MUL {
				continue
			}
			field, _ := ssawalk.Field(load.X)
			if arm := caseStart(sel, ch); field != nil && arm != nil && returnsFrom(arm.Block()) {
				return pathText(ch)
			}
		}
	}
	return ""
}
