// Package prometheus is a stub for tests.
package prometheus

type Metric interface{ Write() error }

type Collector interface{ Collect(chan<- Metric) }
