package shape

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// A Steady is a load that stays, under one law: a cell a variant, in the order of Variants.
type Steady struct {
	Law   string
	Load  float64
	Cells []Cell
}

// Of is the cell of a variant.
func (s Steady) Of(variant string) Cell {
	for _, c := range s.Cells {
		if c.Config.Name == variant {
			return c
		}
	}
	panic("no variant " + variant)
}

// Loads are those of RESULTS.md.
var Loads = []float64{0.8, 0.9, 1.0, 1.1, 1.2, 1.5, 2.0}

// AsPilot runs C and E as the pilot did, for a minute.
func AsPilot(law string, load float64, seeds int) Steady {
	for _, l := range Laws() {
		if l.Name == law {
			return steady(Scale{Seeds: seeds, Warm: 10 * time.Second, Length: time.Minute}, []model.Law{l}, []float64{load}, []string{"C", "E"})[0]
		}
	}
	panic("no law " + law)
}

// SteadyLoads runs all variants under all laws.
func SteadyLoads(s Scale) []Steady {
	var names []string
	for _, v := range Variants() {
		names = append(names, v.Name)
	}
	return steady(s, Laws(), Loads, names)
}

func steady(s Scale, laws []model.Law, loads []float64, variants []string) []Steady {
	var configs []model.Config
	var out []Steady
	for _, law := range laws {
		for _, load := range loads {
			out = append(out, Steady{Law: law.Name, Load: load})
			for _, v := range variants {
				c := base(model.Named(v, Mean), law, load)
				c.Warm, c.Length = s.Warm, s.Length
				configs = append(configs, c)
			}
		}
	}
	n := len(variants)
	all := cells(configs, s.Seeds)
	for i := range out {
		out[i].Cells = all[i*n : (i+1)*n]
	}
	return out
}
