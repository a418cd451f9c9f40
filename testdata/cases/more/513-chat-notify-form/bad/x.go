package chat

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

type Notifier interface {
	Notify(ctx context.Context, text string) error
}

type Bot struct {
	*http.Client
	base string
	room string
}

var _ Notifier = (*Bot)(nil)

func NewBot(token, room string) *Bot {
	return &Bot{
		Client: &http.Client{Timeout: 30 * time.Second},
		base:   "https://api.chat.example/bot" + token,
		room:   room,
	}
}

func (b *Bot) send(ctx context.Context, method string, form url.Values) error {
	resp, err := b.PostForm(b.base+"/"+method, form) // BUG(fixedtimeout) ALT(noctx)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		msg, _ := io.ReadAll(io.LimitReader(resp.Body, 512))
		return fmt.Errorf("%s: %s: %s", method, resp.Status, strings.TrimSpace(string(msg)))
	}
	return nil
}

// Notify sends one text to the bot's room.
func (b *Bot) Notify(ctx context.Context, text string) error {
	return b.send(ctx, "sendMessage", url.Values{"chat_id": {b.room}, "text": {text}})
}

type Fanout []Notifier

func (f Fanout) Notify(ctx context.Context, text string) error {
	for _, n := range f {
		if err := n.Notify(ctx, text); err != nil {
			return err
		}
	}
	return nil
}
