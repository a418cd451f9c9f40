// Package svg draws line charts: axes with units, a grid, a legend, and lines that can be told apart without colour.
package svg

import (
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Chart is one picture.
type Chart struct {
	Title string
	X, Y  Axis
	Lines []Line
	Bands []Band
}

// An Axis goes from Min to Max, with a tick every Step.
type Axis struct {
	Label          string // with its unit
	Min, Max, Step float64
}

// A Line is points in order of X, joined; Marks draws the points too. Lines of the same Style look the same: what has the same
// name in two charts has the same style in both.
type Line struct {
	Name  string
	Style int
	X, Y  []float64
	Marks bool
}

// A Band is a part of X that has a name.
type Band struct {
	Name     string
	From, To float64
}

const (
	width, height            = 840.0, 420.0
	left, right, top, bottom = 64.0, 230.0, 44.0, 56.0
)

// colours are those of Okabe and Ito, which colour-blind readers can tell apart; dashes tell the lines apart in grey.
var (
	colours = []string{"#000000", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#0072b2", "#009e73", "#7f7f7f"}
	dashes  = []string{"", "7 3", "2 3", "9 3 2 3", "5 5", "12 4", "", "3 6"}
)

// Write writes the chart. It returns the writer's error, or that a line has points that it cannot draw.
func (c *Chart) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" font-family="Helvetica, Arial, sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" fill="#ffffff"/>`+"\n", width, height)
	text(&b, left, 24, `font-size="15" font-weight="bold"`, c.Title)
	c.bands(&b)
	c.axes(&b)
	for i, l := range c.Lines {
		if err := c.line(&b, l); err != nil {
			return err
		}
		legend(&b, i, l)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Chart) x(v float64) float64 {
	return left + (v-c.X.Min)/(c.X.Max-c.X.Min)*(width-left-right)
}

func (c *Chart) y(v float64) float64 {
	return height - bottom - (v-c.Y.Min)/(c.Y.Max-c.Y.Min)*(height-top-bottom)
}

func (c *Chart) bands(b *strings.Builder) {
	for _, band := range c.Bands {
		from, to := c.x(band.From), c.x(band.To)
		fmt.Fprintf(b, `<rect x="%s" y="%g" width="%s" height="%g" fill="#f0e9d2"/>`+"\n", number(from), top, number(to-from), height-top-bottom)
		if to-from < 40 { // a mark: its name has no room in it
			text(b, to+5, height-bottom-8, `fill="#6b5b1e"`, band.Name)
			continue
		}
		text(b, (from+to)/2, top+14, `text-anchor="middle" fill="#6b5b1e"`, band.Name)
	}
}

func (c *Chart) axes(b *strings.Builder) {
	for _, v := range c.X.ticks() {
		x := c.x(v)
		stroke(b, x, top, x, height-bottom, "#e3e3e3")
		stroke(b, x, height-bottom, x, height-bottom+5, "#333333")
		text(b, x, height-bottom+19, `text-anchor="middle"`, number(v))
	}
	for _, v := range c.Y.ticks() {
		y := c.y(v)
		stroke(b, left, y, width-right, y, "#e3e3e3")
		stroke(b, left-5, y, left, y, "#333333")
		text(b, left-9, y+4, `text-anchor="end"`, number(v))
	}
	stroke(b, left, height-bottom, width-right, height-bottom, "#333333")
	stroke(b, left, top, left, height-bottom, "#333333")
	text(b, (left+width-right)/2, height-14, `text-anchor="middle"`, c.X.Label)
	middle := (top + height - bottom) / 2
	text(b, 18, middle, fmt.Sprintf(`text-anchor="middle" transform="rotate(-90 18 %g)"`, middle), c.Y.Label)
}

// ticks are those of the axis, both ends included if they are on a step.
func (a Axis) ticks() []float64 {
	var out []float64
	for i := 0; ; i++ {
		v := a.Min + float64(i)*a.Step
		if v > a.Max+a.Step/1e6 || a.Step <= 0 {
			return out
		}
		out = append(out, math.Round(v*1e9)/1e9)
	}
}

func (c *Chart) line(b *strings.Builder, l Line) error {
	if len(l.X) != len(l.Y) || len(l.X) == 0 {
		return fmt.Errorf("%s: line %s has %d by %d points", c.Title, l.Name, len(l.X), len(l.Y))
	}
	var points []string
	for j := range l.X {
		x, y := c.x(l.X[j]), c.y(l.Y[j])
		if !(x >= left-1 && x <= width-right+1 && y >= top-1 && y <= height-bottom+1) { // not a number too
			return fmt.Errorf("%s: point (%g, %g) of line %s is not within the axes", c.Title, l.X[j], l.Y[j], l.Name)
		}
		points = append(points, number(x)+","+number(y))
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" %s/>`+"\n", strings.Join(points, " "), pen(l.Style))
	if !l.Marks {
		return nil
	}
	for _, p := range points {
		x, y, _ := strings.Cut(p, ",")
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="3" fill="%s"/>`+"\n", x, y, colours[l.Style%len(colours)])
	}
	return nil
}

func legend(b *strings.Builder, i int, l Line) {
	x, y := width-right+16, top+12+float64(i)*20
	fmt.Fprintf(b, `<line x1="%g" y1="%g" x2="%g" y2="%g" %s/>`+"\n", x, y, x+32, y, pen(l.Style))
	if l.Marks {
		fmt.Fprintf(b, `<circle cx="%g" cy="%g" r="3" fill="%s"/>`+"\n", x+16, y, colours[l.Style%len(colours)])
	}
	text(b, x+40, y+4, "", l.Name)
}

func pen(style int) string {
	s := fmt.Sprintf(`stroke="%s" stroke-width="2" stroke-linejoin="round"`, colours[style%len(colours)])
	if d := dashes[style%len(dashes)]; d != "" {
		s += fmt.Sprintf(` stroke-dasharray="%s"`, d)
	}
	return s
}

func stroke(b *strings.Builder, x1, y1, x2, y2 float64, colour string) {
	fmt.Fprintf(b, `<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"/>`+"\n", number(x1), number(y1), number(x2), number(y2), colour)
}

func text(b *strings.Builder, x, y float64, attributes, s string) {
	if attributes != "" {
		attributes = " " + attributes
	}
	fmt.Fprintf(b, `<text x="%s" y="%s"%s>%s</text>`+"\n", number(x), number(y), attributes, html.EscapeString(s))
}

// number has as many decimals as a picture of this size can show.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
