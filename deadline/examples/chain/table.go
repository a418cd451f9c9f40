package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/ledger"
	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
)

// row is a line of the table: what it says of each outcome.
type row struct {
	name string
	of   func(outcome) string
}

// goodput is how many answers reached their browsers in time, a second.
func (o outcome) goodput() float64 { return float64(len(o.result.InTime)) / o.result.Window.Seconds() }

// busy and wasted are of all stations.
func (o outcome) busy() (all time.Duration) {
	for _, s := range o.stations {
		all += s.Busy
	}
	return all
}

func (o outcome) wasted() (all time.Duration) {
	for _, s := range o.stations {
		all += s.Wasted
	}
	return all
}

// share is how much of the busy time d is.
func (o outcome) share(d time.Duration) string { return percent(d.Seconds(), o.busy().Seconds()) }

var rows = []row{
	{"goodput", func(o outcome) string { return fmt.Sprintf("%.1f/s", o.goodput()) }},
	{"  of the capacity", func(o outcome) string { return percent(o.goodput(), plan.Capacity) }},
	{"browsers", func(o outcome) string { return fmt.Sprint(o.result.Sent) }},
	{"  answered in time", func(o outcome) string { return fmt.Sprint(len(o.result.InTime)) }},
	{"  told in time that there is no answer", func(o outcome) string { return fmt.Sprint(len(o.result.Errors)) }},
	{"  left at their deadline", func(o outcome) string { return fmt.Sprint(o.result.Left) }},
	{"time to an answer, median", func(o outcome) string { return median(o.result.InTime) }},
	{"time to an error, median", func(o outcome) string { return median(o.result.Errors) }},
	{fmt.Sprintf("time at B, mean (planned: %v)", plan.Look), func(o outcome) string { return mean(o.at("B")) }},
	{"busy time of all stations", func(o outcome) string { return seconds(o.busy()) }},
	{"  for answers in time", func(o outcome) string { return o.share(o.useful) }},
	{"  in vain, before the deadline", func(o outcome) string { return o.share(o.busy() - o.useful - o.wasted()) }},
	{"  after the deadline", func(o outcome) string { return o.share(o.wasted()) }},
	{"wasted work after the deadline", func(o outcome) string { return seconds(o.wasted()) }},
	{"  at A", wastedAt("A")},
	{"  at B", wastedAt("B")},
	{"  at C", wastedAt("C")},
	{"  at the database", wastedAt("database")},
}

// at is the account of a station.
func (o outcome) at(name string) ledger.Account {
	for _, s := range o.stations {
		if s.Name == name {
			return s
		}
	}
	return ledger.Account{}
}

func wastedAt(name string) func(outcome) string {
	return func(o outcome) string { return seconds(o.at(name).Wasted) }
}

func mean(a ledger.Account) string {
	if a.Calls == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1fms", a.Busy.Seconds()*1000/float64(a.Calls))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

func percent(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*part/whole)
}

// median is of what is sorted.
func median(d []time.Duration) string {
	if len(d) == 0 {
		return "–"
	}
	return fmt.Sprintf("%dms", d[len(d)/2].Milliseconds())
}

// print writes the table, and the two figures that it is about.
func print(w io.Writer, o options, outcomes []outcome) error {
	var b strings.Builder
	database := "SQLite"
	if o.dsn != "" {
		database = "PostgreSQL"
	}
	fmt.Fprintf(&b, "%.1f times the capacity of %.0f/s, for %v, seed %d, %s\n\n%-40s", o.load, plan.Capacity, o.lasts, o.seed, database, "")
	for _, out := range outcomes {
		fmt.Fprintf(&b, "%10s", out.name)
	}
	b.WriteByte('\n')
	for _, r := range rows {
		fmt.Fprintf(&b, "%-40s", r.name)
		for _, out := range outcomes {
			fmt.Fprintf(&b, "%10s", r.of(out))
		}
		b.WriteByte('\n')
	}
	if first, last := outcomes[0], outcomes[len(outcomes)-1]; first.goodput() > 0 && first.wasted() > 0 {
		fmt.Fprintf(&b, "\n%s has %.1f times the goodput of %s, and %s of its wasted work.\n", last.name, last.goodput()/first.goodput(),
			first.name, percent(last.wasted().Seconds(), first.wasted().Seconds()))
	}
	for _, out := range outcomes {
		if at := out.at("B"); at.Calls > 0 && at.Busy > time.Duration(at.Calls)*plan.Look*5/4 {
			fmt.Fprintf(&b, "%s: the machine was busy, and B took %s instead of %v: the overload was more than planned.\n", out.name, mean(at), plan.Look)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
