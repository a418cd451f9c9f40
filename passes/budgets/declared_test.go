package budgets

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/passtest"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/settings"
)

// misfits runs the pass over a package under a configuration and prints the declared budgets that are broken.
func misfits(t *testing.T, config, src string) []string {
	t.Helper()
	cfg, err := settings.Parse("c.yaml", []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	settings.Use(cfg)
	t.Cleanup(func() { settings.Use(nil) })
	var out []string
	for _, m := range passtest.Run(t, Analyzer, passtest.One("example.com/p", src))[0].Value.(*Result).Misfits() {
		if m.Kind != "declared" {
			continue
		}
		var parts []string
		for _, p := range m.Parts {
			parts = append(parts, p.Shown)
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s > %s %s", m.Name, strings.Join(parts, " + "), durations.Text(m.Limit), m.Endless)))
	}
	return out
}

// sums can be checked by hand: hop takes 2s, and has one retry.
const sums = `package p
import ("context"; "database/sql"; "sync"; "time"; "net/http")
func hop(ctx context.Context, db *sql.DB, d time.Duration) error { return db.PingContext(ctx) }
func two(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second); defer cancel()
	return db.PingContext(ctx)
}
func retried(ctx context.Context, db *sql.DB) (err error) {
	for range 2 { if err = two(ctx, db); err == nil { return nil } }
	return err
}
// Five hops of 2s with one retry each are 20s.
func Five(ctx context.Context, db *sql.DB) {
	retried(ctx, db); retried(ctx, db); retried(ctx, db); retried(ctx, db); retried(ctx, db)
}
// A asks B and C side by side, 2s each, and does 1s of its own work under a cap: 3s. Its own cap of 5s has room for that.
func A(ctx context.Context, db *sql.DB) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second); defer cancel()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); two(ctx, db) }()
	go func() { defer wg.Done(); two(ctx, db) }()
	wg.Wait()
	own, stop := context.WithTimeout(ctx, time.Second); defer stop()
	db.PingContext(own)
}
// Gateway allows 10s over A, which takes 3s, and then waits under what is left of them: 10s.
func Gateway(ctx context.Context, db *sql.DB) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second); defer cancel()
	A(ctx, db)
	db.PingContext(ctx)
}
// Pauses between three attempts: 3 × 2s + 3 × 1s.
func Paused(ctx context.Context, db *sql.DB) {
	for i := 0; i < 3; i++ { two(ctx, db); time.Sleep(time.Second) }
}
// Longer takes the longer of two branches: 4s.
func Longer(ctx context.Context, db *sql.DB, b bool) {
	if b { two(ctx, db) } else { retried(ctx, db) }
}
// Open ends with its context.
func Open(ctx context.Context, db *sql.DB, keys []int) { for range keys { db.PingContext(ctx) } }
// Rates waits for ever.
func Rates() { http.Get("http://rates") }
func Root(db *sql.DB) { db.PingContext(context.Background()) }
`

// TestSums wants the sums of declared budgets that a person can check, each with a budget of a nanosecond.
func TestSums(t *testing.T) {
	got := misfits(t, "budgets:\n  example.com/p.[A-Z]*: 1ns\n", sums)
	want := []string{
		"p.Five 2 × 2s + 2 × 2s + 2 × 2s + 2 × 2s + 2 × 2s > 1ns",
		"p.A 2s + 1s > 1ns",
		"p.Gateway 10s > 1ns",
		"p.Paused 3 × 2s + 3 × 1s > 1ns",
		"p.Longer 2 × 2s > 1ns",
		"p.Rates  > 1ns http.Get",
		"p.Root  > 1ns (*sql.DB).PingContext",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("misfits\n%q, want\n%q", got, want)
	}
}

const routes = `package p
import ("context"; "net/http"; "time")
type server struct{}
func (s *server) get(w http.ResponseWriter, r *http.Request) { time.Sleep(2*time.Second) }
func (s *server) put(w http.ResponseWriter, r *http.Request) { time.Sleep(2*time.Second) }
type page struct{}
func (page) ServeHTTP(w http.ResponseWriter, r *http.Request) { time.Sleep(2*time.Second) }
type router interface { Get(pattern string, h http.HandlerFunc) }
func register(s *server, mux *http.ServeMux, r router) {
	mux.HandleFunc("GET /orders", s.get)
	mux.Handle("/admin/page", page{})
	r.Get("/items", s.put)
}
func Load(ctx context.Context) { time.Sleep(2*time.Second) }
func (s *server) Call() { time.Sleep(2*time.Second) }
`

// TestConfigured wants budgets of the configuration to find their routes and functions, and to leave the others.
func TestConfigured(t *testing.T) {
	for _, tt := range []struct{ key, want string }{
		{"GET /orders", "(*p.server).get"},
		{"/orders", "(*p.server).get"},
		{"POST /orders", ""},
		{"/order", ""},
		{"/admin/*", "(p.page).ServeHTTP"},
		{"GET /items", "(*p.server).put"},
		{"PUT /items", ""},
		{"example.com/p.Load", "p.Load"},
		{"example.com/p.L*", "p.Load"},
		{"(*example.com/p.server).C*", "(*p.server).Call"},
		{"example.com/q.*", ""},
	} {
		got := strings.Join(misfits(t, "budgets:\n  "+tt.key+": 1s\n", routes), "; ")
		want := tt.want
		if want != "" {
			want += " 2s > 1s"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", tt.key, got, want)
		}
		if got := misfits(t, "budgets:\n  "+tt.key+": 2500ms reserve=500ms\n", routes); len(got) > 0 {
			t.Errorf("%s: %q fits", tt.key, got)
		}
	}
}

// TestDirective wants a budget in the code to go before the one of the configuration.
func TestDirective(t *testing.T) {
	const src = "package p\nimport \"time\"\n//doneby:budget 3s\nfunc F() { time.Sleep(2*time.Second) }\n"
	if got := misfits(t, "budgets:\n  example.com/p.F: 1s\n", src); len(got) > 0 {
		t.Errorf("%q fits into the budget of the code", got)
	}
	src2 := strings.Replace(src, "3s", "1500ms", 1)
	if got, want := misfits(t, "budgets:\n  example.com/p.F: 5s\n", src2), []string{"p.F 2s > 1.5s"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
