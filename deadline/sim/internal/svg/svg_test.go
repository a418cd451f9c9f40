package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func chart() Chart {
	return Chart{
		Title: "a < b", X: Axis{"time in s", 0, 10, 5}, Y: Axis{"share", 0, 1, 0.25},
		Lines: []Line{{Name: "A & B", X: []float64{0, 10}, Y: []float64{0, 1}, Marks: true}, {Name: "C", X: []float64{5}, Y: []float64{0.5}}},
		Bands: []Band{{"spike", 2, 4}},
	}
}

// TestWrite: it is XML, has all that is to be read, and puts the corners into the corners.
func TestWrite(t *testing.T) {
	var b strings.Builder
	c := chart()
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	read := []string{}
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if chars, ok := token.(xml.CharData); ok && strings.TrimSpace(string(chars)) != "" {
			read = append(read, string(chars))
		}
	}
	if want := "a < b|spike|0|5|10|0|0.25|0.5|0.75|1|time in s|share|A & B|C"; strings.Join(read, "|") != want {
		t.Errorf("to be read is %q, want %q", strings.Join(read, "|"), want)
	}
	for _, want := range []string{`points="64,364 610,44"`, `<circle cx="610" cy="44"`, `<rect x="173.2" y="44" width="109.2"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestWrong: what lies outside of the axes is not drawn over the legend, but an error.
func TestWrong(t *testing.T) {
	for name, l := range map[string]Line{
		"right":  {X: []float64{11}, Y: []float64{0.5}},
		"above":  {X: []float64{1}, Y: []float64{1.1}},
		"NaN":    {X: []float64{1}, Y: []float64{math.NaN()}},
		"uneven": {X: []float64{1, 2}, Y: []float64{1}},
		"empty":  {},
	} {
		c := chart()
		c.Lines = []Line{l}
		if err := c.Write(io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
