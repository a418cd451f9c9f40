// Command prometheus shows what package deadline does with the time, as Prometheus scrapes it: a server with a slow route, whose
// metrics are on /metrics.
//
//	go run .
//	curl -H 'X-Deadline-Ms: 50' localhost:8080/report
//	curl -s localhost:8080/metrics | grep ^deadline_
package main

import (
	"log"
	"net/http"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/deadlineotel"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
)

func main() {
	handler, err := serve()
	if err != nil {
		log.Fatal(err)
	}
	server := http.Server{Addr: "localhost:8080", Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// serve is the whole: the exporter is a reader of the SDK's meter provider, and the observer is told through that provider.
func serve() (http.Handler, error) {
	registry := prometheus.NewRegistry()
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo())
	if err != nil {
		return nil, err
	}
	observer, err := deadlineotel.New(metric.NewMeterProvider(metric.WithReader(reader)))
	if err != nil {
		return nil, err
	}
	deadline.SetObserver(observer)

	orders := deadline.Server{Default: deadline.Internal, Min: 20 * time.Millisecond}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.Handle("/", orders.Wrap(http.HandlerFunc(report)))
	return mux, nil
}

// report takes 100 ms, and does not listen: what it does after the deadline is wasted.
func report(w http.ResponseWriter, _ *http.Request) {
	time.Sleep(100 * time.Millisecond)
	_, _ = w.Write([]byte("done\n"))
}
