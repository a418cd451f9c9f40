// Command demo is a small shop: a gateway, a service with a database, a second service over HTTP, and a worker. It is there
// to be linted. DEFECTS.md lists what is wrong with it and what only looks wrong.
//
// With -check it starts everything on the loopback interface, places an order and ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"demo.example/gateway"
	_ "demo.example/memdb"
	"demo.example/orders"
	"demo.example/prices"
	"demo.example/store"
	"demo.example/worker"
)

func main() {
	check := flag.Bool("check", false, "try everything once and end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *check); err != nil {
		log.Fatal(err)
	}
}

// run starts the parts, and ends when ctx is done or the check is over.
func run(ctx context.Context, check bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	front, back, admin, err := listen()
	if err != nil {
		return err
	}
	st, err := store.Open("memdb")
	if err != nil {
		return err
	}
	rates := "http://" + back.Addr().String()
	svc := &orders.Service{Store: st, Prices: prices.NewClient(rates), Cache: prices.NewCache(time.Minute), Acks: make(chan int, 1)}
	w := &worker.Worker{Store: st, Rates: rates + "/quote/eur", Every: 20 * time.Millisecond, Limit: time.Second}
	w.Start()
	defer w.Stop()
	serveAdmin(admin)
	ended := make(chan error, 2)
	go func() { ended <- prices.Serve(ctx, back) }()
	go func() { ended <- (&gateway.Gateway{Orders: svc, Limit: 2 * time.Second}).Serve(ctx, front) }()
	if check {
		err = try(ctx, "http://"+front.Addr().String(), back.Addr().String(), svc, w)
		stop()
		return errors.Join(err, <-ended, <-ended)
	}
	fmt.Println("listening on", front.Addr())
	return errors.Join(<-ended, <-ended)
}

// serveAdmin answers the operators as long as the process lives.
func serveAdmin(ln net.Listener) {
	go func() { log.Print(gateway.ServeAdmin(ln, http.NotFoundHandler())) }()
}

// listen opens the three addresses.
func listen() (front, back, admin net.Listener, err error) {
	var errs [3]error
	front, errs[0] = net.Listen("tcp", "127.0.0.1:0")
	back, errs[1] = net.Listen("tcp", "127.0.0.1:0")
	admin, errs[2] = net.Listen("tcp", "127.0.0.1:0")
	return front, back, admin, errors.Join(errs[:]...)
}

// try calls each part once.
func try(ctx context.Context, front, back string, svc *orders.Service, w *worker.Worker) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for _, call := range []struct{ method, path, want string }{
		{http.MethodPost, "/orders/1/tea", "300\n"},
		{http.MethodPost, "/orders/2/coffee", "600\n"},
		{http.MethodGet, "/summary", "2\n"},
		{http.MethodDelete, "/orders/1", "1\n"},
	} {
		got, err := ask(ctx, svc.Prices, call.method, front+call.path)
		if err != nil || got != call.want {
			return fmt.Errorf("%s %s: %q, %v", call.method, call.path, got, err)
		}
	}
	if err := w.Add(ctx, worker.Job{Order: 2, Deadline: time.Now().Add(time.Second)}); err != nil {
		return err
	}
	if n, err := w.RatesSize(ctx); err != nil || n != len("300\n") {
		return fmt.Errorf("rates of %d bytes, %v", n, err)
	}
	line, err := worker.Probe(ctx, back)
	if err != nil {
		return err
	}
	left, err := svc.Store.Recent(ctx)
	fmt.Printf("checked: prices say %q, %d orders left\n", line, len(left))
	return err
}

// ask makes one request.
func ask(ctx context.Context, c *prices.Client, method, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}
