package shape

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// The stressor of Breakwater (Cho et al., OSDI 2020): the demand jumps to 1.4 times capacity and stays.
const (
	JumpFrom   = 0.5
	JumpTo     = 1.4
	JumpBefore = 2 * time.Second

	jumpBin = 500 * time.Millisecond
)

// Jump runs the stressor for all variants under a law. Back is the time until the servers give nine tenths of their capacity as
// answers in time, for good, and End what they give in the last five seconds; During is the success from the jump on.
func Jump(s Scale, law model.Law) []Course {
	var configs []model.Config
	for _, v := range Variants() {
		c := base(v, law, JumpFrom)
		c.Warm, c.Length, c.Bin = s.Warm, JumpBefore+s.AfterJump(), jumpBin
		c.Load = append(c.Load, model.Step{From: c.Warm + JumpBefore, Rate: JumpTo * capacity})
		configs = append(configs, c)
	}
	for _, d := range Disciplines()[1:] {
		c := configs[0]
		c.Name, c.Queue = "A, "+d.Name, d
		configs = append(configs, c)
	}
	out := courses(configs, s.Seeds)
	const high = int(JumpBefore / jumpBin)
	for i := range out {
		c := &out[i]
		c.During = success(c.Bins[high:])
		full := capacity * jumpBin.Seconds() * float64(s.Seeds)
		c.Back = back(c.Bins[high:], jumpBin, func(b model.Bin) bool { return float64(b.Answers) >= 0.9*full })
		last := c.Bins[len(c.Bins)-min(len(c.Bins)-high, int(5*time.Second/jumpBin)):]
		for _, b := range last {
			c.End += float64(b.Answers) / full / float64(len(last))
		}
	}
	return out
}
