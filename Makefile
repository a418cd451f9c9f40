# make check is everything that must hold before a commit. The other targets are its parts, and the measurements.

GO ?= go
# Real modules for the measurements, from docs/precision/modules.txt: two to compare drivers on, one for the clock.
MODULES ?= github.com/redis/go-redis/v9@v9.23.0 github.com/caddyserver/caddy/v2@v2.11.9
BENCH   ?= github.com/caddyserver/caddy/v2@v2.11.9

.PHONY: check test demo format vet tidy floors generated self unit cases tables drivers runtime equality bench recall chain sim

check: format vet tidy floors generated self test demo

# The two commands of the README.

# demo runs doneby on a small service with planted defects, and compares what it says with testdata/demo/DEFECTS.md.
demo:
	$(GO) run ./internal/demo

# test passes the tests. Each part has its share of the time that CI has on two cores, in minutes.
test:
	@.ci/step unit 5 $(MAKE) --no-print-directory unit
	@.ci/step cases 2 $(MAKE) --no-print-directory cases
	@.ci/step tables 2 $(MAKE) --no-print-directory tables
	@.ci/step drivers 5 $(MAKE) --no-print-directory drivers
	@.ci/step runtime 4 $(MAKE) --no-print-directory runtime

# The parts.

format:
	@files=$$(find . -name '*.go' -not -path '*/testdata/*' -exec gofmt -l {} +); \
	if [ -n "$$files" ]; then echo "not formatted, run gofmt -w on:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...

tidy:
	$(GO) mod tidy -diff

floors:
	$(GO) test ./internal/floors

# generated fails when a file that a program writes is not what it would write now, a committed result included. The programs of the
# fixes are run with the other tests.
generated:
	$(GO) test ./internal/gen

# self runs the whole suite on itself, every kind by name.
self:
	$(GO) run ./cmd/doneby -rules +ctxless,+detached,+unbounded,-unbounded/oneshot,-unbounded/subprocess,+fixedtimeout,+orphan,+deafwait,+bareserver,+wallclock,+lostdeadline,+overbudget,+blindretry,+stalework,+deafctx,-deafctx/files ./...

# unit is every test of this module, the README's of the rules included, but what loads whole modules.
unit:
	$(GO) test -short ./...
	$(GO) test -run TestRuns ./internal/demo

cases:
	$(GO) test -v -run "TestCases|TestMore" ./internal/score

# tables checks the knowledge tables against the real libraries, which are required by a module of its own, and uses every row.
tables:
	cd internal/knowledge/verify && $(GO) test ./...

# drivers compares all ways to run doneby, golangci-lint with the plugin included, which it builds.
drivers:
	$(GO) test -timeout 30m ./internal/equality

# runtime tests the runtime package: modules of their own, each tested by itself.
runtime:
	@if [ ! -f deadline/go.mod ]; then echo "runtime: SKIPPED, there is no deadline/go.mod yet"; exit 0; fi; \
	find deadline -name go.mod | sort | while read -r mod; do \
		echo "cd $$(dirname $$mod) && $(GO) vet ./... && $(GO) test -race ./..."; \
		(cd "$$(dirname "$$mod")" && $(GO) vet ./... && $(GO) test -race ./...) || exit 1; \
	done
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		echo "runtime: SKIPPED, nothing was run against PostgreSQL: install Debian's package postgresql"

# The measurements, on real modules from the Go module proxy.

# equality compares all ways to run doneby, and the SSA form they see, on MODULES.
equality:
	DONEBY_MODULES="$(MODULES)" $(GO) test -v -count=1 -timeout 120m -run 'TestModules|TestBlocks' ./internal/equality

# bench compares the cost of a run with what it cannot do without.
bench:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	src=$$($(GO) mod download -json $(BENCH) | sed -n 's/^.*"Dir": "\(.*\)",\{0,1\}$$/\1/p') && \
	cp -r "$$src/." "$$dir" && chmod -R u+w "$$dir" && \
	$(GO) run ./internal/driver/bench "$$dir"

# recall breaks real modules on purpose, one site at a time, and counts how often the rules say so.
recall:
	$(GO) run ./internal/recall
	$(GO) run ./internal/recall -family waiting -n 200

# chain runs the example of the runtime package under overload, three ways, and keeps the figures. Its README has them by
# go test -run TestReadme -update there.
chain:
	cd deadline/examples/chain && $(GO) run . > ../../../docs/figures/chain.new
	mv docs/figures/chain.new docs/figures/chain.txt
	$(GO) run ./internal/gen/stamp docs/figures/chain.txt 'make chain' deadline/examples/chain/... deadline/deadlinegrpc/client.go \
		deadline/deadlinegrpc/server.go deadline/gate.go deadline/policy.go deadline/server.go deadline/server_budget.go \
		deadline/server_serve.go deadline/transport.go deadline/transport_body.go deadline/wait.go

# sim runs the simulator of the runtime package, which writes deadline/sim/RESULTS.md and its plots: a minute of one core.
sim:
	cd deadline && $(GO) run ./sim
	$(GO) run ./internal/gen/stamp deadline/sim/RESULTS.md 'make sim' deadline/sim/main.go deadline/sim/internal/... deadline/sim/plots/...
