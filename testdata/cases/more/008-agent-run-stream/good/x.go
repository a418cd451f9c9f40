package agentapi

import (
	"context"
	"encoding/json"
	"net/http"
)

type Event struct {
	Kind string `json:"kind"`
	Text string `json:"text,omitempty"`
}

// Model answers one prompt.
type Model interface {
	Complete(ctx context.Context, prompt string) (string, error)
}

// Runtime turns prompts into events.
type Runtime struct {
	model Model
	turns int
}

func (rt *Runtime) Stream(ctx context.Context, prompt string) <-chan Event {
	out := make(chan Event, rt.turns+1)
	go func() {
		defer close(out)
		for i := 0; i < rt.turns; i++ {
			text, err := rt.model.Complete(ctx, prompt)
			if err != nil {
				out <- Event{Kind: "error", Text: err.Error()}
				return
			}
			out <- Event{Kind: "message", Text: text}
			prompt = text
		}
	}()
	return out
}

type Handler struct {
	rt *Runtime
}

func NewHandler(m Model) *Handler {
	return &Handler{rt: &Runtime{model: m, turns: 8}}
}

func (h *Handler) run(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Prompt string `json:"prompt"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	enc := json.NewEncoder(w)
	rc := http.NewResponseController(w)
	for ev := range h.rt.Stream(r.Context(), in.Prompt) {
		if err := enc.Encode(ev); err != nil {
			return
		}
		rc.Flush()
	}
}

func (h *Handler) Register(mux *http.ServeMux) {
	mux.HandleFunc("POST /run", h.run)
}
