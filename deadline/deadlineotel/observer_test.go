package deadlineotel

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric/noop"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// watched returns an observer, and what reads its metrics by name.
func watched(t *testing.T) (*Observer, func() map[string]metricdata.Metrics) {
	t.Helper()
	reader := sdk.NewManualReader()
	o, err := New(sdk.NewMeterProvider(sdk.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	return o, func() map[string]metricdata.Metrics {
		var all metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &all); err != nil {
			t.Fatal(err)
		}
		byName := map[string]metricdata.Metrics{}
		for _, s := range all.ScopeMetrics {
			for _, m := range s.Metrics {
				byName[m.Name] = m
			}
		}
		return byName
	}
}

// Every kind has its metric, of the form that its name says, with a unit and a description.
func TestEveryKind(t *testing.T) {
	o, collect := watched(t)
	for _, k := range deadline.Kinds() {
		o.Observe(context.Background(), deadline.Event{Kind: k, Name: "n", Label: "l", Time: 2 * time.Second, Share: 0.25})
	}
	got := collect()
	for _, k := range deadline.Kinds() {
		m, ok := got["deadline."+k.String()]
		if !ok || m.Unit == "" || m.Description == "" {
			t.Errorf("%v: %+v", k, m)
			continue
		}
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			if k.Histogram() || !data.IsMonotonic || data.DataPoints[0].Value != 1 || data.DataPoints[0].Attributes.Len() != 2 {
				t.Errorf("%v: %+v", k, data)
			}
		case metricdata.Histogram[float64]:
			want := 2.0
			if k == deadline.ShareOfBudget {
				want = 0.25
			}
			if !k.Histogram() || data.DataPoints[0].Sum != want || (m.Unit == "s") == (k == deadline.ShareOfBudget) {
				t.Errorf("%v: %s %+v", k, m.Unit, data)
			}
		default:
			t.Errorf("%v: %T", k, data)
		}
	}
	if len(got) != len(deadline.Kinds()) {
		t.Errorf("%d metrics of %d kinds", len(got), len(deadline.Kinds()))
	}
}

// What a policy and a server tell arrives with its names, and a time that was up is 0.
func TestMetrics(t *testing.T) {
	o, collect := watched(t)
	deadline.SetObserver(o)
	defer deadline.SetObserver(nil)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, _, err := (deadline.Policy{Name: "search", Min: time.Hour}).Start(ctx); !errors.Is(err, deadline.BelowMinimum) {
		t.Fatal(err)
	}
	server := deadline.Server{Routes: []deadline.Route{{Pattern: "/orders/{id}", Name: "orders"}}}.Wrap(http.NotFoundHandler())
	r := httptest.NewRequest("GET", "/orders/7", nil)
	r.Header.Set("X-Deadline-Ms", "0")
	server.ServeHTTP(httptest.NewRecorder(), r)

	got := collect()
	for called, want := range map[string]attribute.Set{
		"deadline.below_minimum":      attribute.NewSet(name.String("search"), reason.String("minimum")),
		"deadline.received":           attribute.NewSet(name.String("orders"), header.String("X-Deadline-Ms")),
		"deadline.expired_on_arrival": attribute.NewSet(name.String("orders")),
	} {
		metricdatatest.AssertEqual(t, metricdata.Sum[int64]{
			Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
			DataPoints: []metricdata.DataPoint[int64]{{Attributes: want, Value: 1}},
		}, got[called].Data.(metricdata.Sum[int64]), metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	}
	late := got["deadline.remaining_on_arrival"].Data.(metricdata.Histogram[float64]).DataPoints[0]
	if late.Sum != 0 || late.BucketCounts[0] != 1 {
		t.Errorf("a time that was up is in another bucket than the first: %v", late.BucketCounts)
	}
}

// What is wasted is measured under a context that has ended, and written on the span of the request all the same.
func TestWasted(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	ctx, span := trace.NewTracerProvider(trace.WithSpanProcessor(spans)).Tracer("test").Start(context.Background(), "GET /")
	o, collect := watched(t)
	deadline.SetObserver(o)
	defer deadline.SetObserver(nil)
	work, done := deadline.WithBudget(ctx, time.Millisecond, "report")
	<-work.Done()
	done()
	span.End()

	point := collect()["deadline.wasted_after_deadline"].Data.(metricdata.Histogram[float64]).DataPoints[0]
	if point.Count != 1 || point.Attributes != attribute.NewSet(name.String("report")) {
		t.Errorf("%+v", point)
	}
	for _, a := range spans.Ended()[0].Attributes() {
		if a.Key == "deadline.wasted_after_deadline" && a.Value.AsFloat64() == point.Sum {
			return
		}
	}
	t.Errorf("the span has %v", spans.Ended()[0].Attributes())
}

func TestSpan(t *testing.T) {
	tests := []struct {
		name  string
		event deadline.Event
		want  []attribute.KeyValue
	}{
		{"on arrival", deadline.Event{Kind: deadline.TimeRemainingOnArrival, Name: "orders", Time: 1500 * time.Millisecond},
			[]attribute.KeyValue{attribute.Float64("deadline.remaining_on_arrival", 1.5)}},
		{"too late on arrival", deadline.Event{Kind: deadline.TimeRemainingOnArrival, Time: -time.Second},
			[]attribute.KeyValue{attribute.Float64("deadline.remaining_on_arrival", -1)}},
		{"at send", deadline.Event{Kind: deadline.TimeRemainingAtSend, Time: time.Second},
			[]attribute.KeyValue{attribute.Float64("deadline.remaining_at_send", 1)}},
		{"refused", deadline.Event{Kind: deadline.CountRetryDenied, Name: "search", Label: "fit"},
			[]attribute.KeyValue{refused.String("retry_denied"), name.String("search"), reason.String("fit")}},
		{"rejected", deadline.Event{Kind: deadline.CountExpiredOnArrival, Name: "orders"},
			[]attribute.KeyValue{refused.String("expired_on_arrival"), name.String("orders")}},
		{"a count of no interest to one request", deadline.Event{Kind: deadline.CountReceived, Name: "orders"}, nil},
	}
	o, err := New(noop.NewMeterProvider())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spans := tracetest.NewSpanRecorder()
			ctx, span := trace.NewTracerProvider(trace.WithSpanProcessor(spans)).Tracer("test").Start(context.Background(), "x")
			o.Observe(ctx, tt.event)
			span.End()
			if got := spans.Ended()[0].Attributes(); attribute.NewSet(got...) != attribute.NewSet(tt.want...) {
				t.Errorf("the span has %v, want %v", got, tt.want)
			}
		})
	}
}

// The README names every metric, in whole or after a dot.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range deadline.Kinds() {
		if !strings.Contains(string(text), "."+k.String()+"`") {
			t.Errorf("the README does not name deadline.%v", k)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	o, err := New(sdk.NewMeterProvider(sdk.WithReader(sdk.NewManualReader())))
	if err != nil {
		b.Fatal(err)
	}
	e := deadline.Event{Kind: deadline.CountBelowMinimum, Name: "search", Label: "minimum"}
	for name, ctx := range map[string]context.Context{"live": b.Context(), "ended": ended()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.Observe(ctx, e)
			}
		})
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// A kind of a later version of package deadline is no panic.
func TestLaterKind(t *testing.T) {
	o, collect := watched(t)
	o.Observe(context.Background(), deadline.Event{Kind: 255})
	o.Observe(context.Background(), deadline.Event{})
	if got := collect(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
