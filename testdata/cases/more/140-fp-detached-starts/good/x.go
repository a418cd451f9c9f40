package rooms

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Room distributes the messages of one channel.
type Room struct {
	name   string
	ps     *redis.PubSub
	cancel context.CancelFunc
	mu     sync.Mutex
	users  map[string]chan string
	idle   *time.Timer
}

// Rooms keeps a room as long as somebody is in it.
type Rooms struct {
	rdb  *redis.Client
	mu   sync.Mutex
	live map[string]*Room
}

func New(rdb *redis.Client) *Rooms { return &Rooms{rdb: rdb, live: map[string]*Room{}} }

func (rs *Rooms) open(ctx context.Context, name string) (*Room, error) {
	// the room outlives the request that opens it
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ps := rs.rdb.Subscribe(life, name)
	rctx, rcancel := context.WithTimeout(ctx, 5*time.Second)
	defer rcancel()
	if _, err := ps.Receive(rctx); err != nil {
		cancel()
		ps.Close()
		return nil, fmt.Errorf("subscribe %s: %w", name, err)
	}
	r := &Room{name: name, ps: ps, cancel: cancel, users: map[string]chan string{}}
	go r.pump()
	return r, nil
}

func (r *Room) pump() {
	for m := range r.ps.Channel() {
		r.mu.Lock()
		for id, ch := range r.users {
			select {
			case ch <- m.Payload:
			default:
				slog.Warn("slow user", "room", r.name, "user", id)
			}
		}
		r.mu.Unlock()
	}
}

// Enter adds a user to a room and returns its messages.
func (rs *Rooms) Enter(ctx context.Context, room, user string) (<-chan string, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.live[room]
	if !ok {
		var err error
		if r, err = rs.open(ctx, room); err != nil {
			return nil, err
		}
		rs.live[room] = r
	}
	ch := make(chan string, 32)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users[user] = ch
	if r.idle != nil {
		r.idle.Stop()
	}
	return ch, nil
}

// Leave removes a user; an empty room is closed after a while.
func (rs *Rooms) Leave(room, user string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.live[room]
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.users, user)
	if len(r.users) == 0 {
		r.idle = time.AfterFunc(time.Minute, func() { rs.drop(room) })
	}
}

func (rs *Rooms) drop(room string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r, ok := rs.live[room]; ok {
		delete(rs.live, room)
		r.cancel()
		r.ps.Close()
	}
}
