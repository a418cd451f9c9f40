package knowledge

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	const text = "\ufeff# example.com/x.v2\r\n" +
		"\r\n" +
		"(*example.com/x.v2.T).Do\twaits  meant io ctx=0.Context() use=example.com/x.v2.DoContext field=Timeout,A.B default=1m30s result=1 # why\n" +
		"  example.com/x.v2.Copy  waits  io on=1,recv.r,opts within=2"
	rows, err := Parse("t.txt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{
		Name: "(*example.com/x.v2.T).Do", Verb: Waits, File: "t.txt", Line: 3, Col: 1,
		Ctx: Place{Param, 0, "Context()"}, Use: "example.com/x.v2.DoContext", Fields: []string{"Timeout", "A.B"},
		Default: 90 * time.Second, Result: 1, Meant: true, IO: true,
	}, {
		Name: "example.com/x.v2.Copy", Verb: Waits, File: "t.txt", Line: 4, Col: 3,
		On: Place{Kind: Param, Index: 1}, Also: []Place{{Recv, 0, "r"}, {Kind: Opts}}, Within: Place{Kind: Param, Index: 2}, IO: true,
	}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("got  %+v\nwant %+v", rows, want)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"p.F", "t.txt:1:4: p.F has no verb: add one of binds, bounds, calls,"},
		{"p.F wait", `t.txt:1:5: unknown verb "wait": the verbs are binds, bounds, calls, carries, derives, drops, enters, exits, none, roots, sleeps, spawns, waits`},
		{"# c\n\n p.F waits  cxt=0", `t.txt:3:13: unknown key "cxt": the keys of waits are ctx, default, field,`},
		{"p.F waits ment", `t.txt:1:11: unknown flag "ment": the flags of waits are io, life, local, lookup, meant,`},
		{"p.F waits meant=1", "t.txt:1:11: meant is a flag: write it without a value"},
		{"p.F waits ctx", "t.txt:1:11: ctx needs a value: write ctx=0"},
		{"p.F exits ctx=0", "t.txt:1:11: ctx does not go with exits: its keys are unless, its flags none"},
		{"p.F waits io io", "t.txt:1:14: io is given twice"},
		{"p.F waits ctx=0 ctx=1", "t.txt:1:17: ctx is given twice"},
		{"p.F waits ctx=x", `t.txt:1:15: ctx=x: "x" is no place: write a parameter's index`},
		{"p.F waits ctx=0.", `t.txt:1:15: ctx=0.: "" is no selector`},
		{"p.F waits ctx=0.a(b)", `t.txt:1:15: ctx=0.a(b): "a(b)" is no selector`},
		{"p.F waits use=Context", "t.txt:1:15: use=Context: no name: write import/path.Func"},
		{"p.F waits field=A,,B", `t.txt:1:17: field=A,,B: "" is no field`},
		{"p.F waits default=30", "t.txt:1:19: default=30: no duration"},
		{"p.F waits default=-1s", "t.txt:1:19: default=-1s: no duration"},
		{"p.F waits result=-1", "t.txt:1:18: result=-1: no result"},
		{"p.F waits unless=1", "t.txt:1:18: unless=1: no name"},
		{"p.F sleeps", "t.txt:1:5: sleeps says too little: add for"},
		{"p.F bounds recv", "t.txt:1:5: bounds says too little: add ctx or default or"},
		{"p.F none\np.F waits", "t.txt:2:1: p.F has a row already, at line 1: remove one"},
		{"F none", `t.txt:1:1: "F" is no name`},
		{"(p.T)F none", `t.txt:1:1: "(p.T)F" is no name`},
		{"(p.T). none", `t.txt:1:1: "(p.T)." is no name`},
		{"p.T[V].F none", `t.txt:1:1: "p.T[V].F" is no name`},
		{strings.Repeat("x", 2<<20), "t.txt:1:1: cannot read: "},
	}
	for _, tt := range tests {
		_, err := Parse("t.txt", strings.NewReader(tt.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%.40q:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("(*p/q.T).M waits ctx=0.Context() field=A.B # c\n*p.T carries\np.F sleeps for=0")
	f.Add("() none\n(). none\n* none\n. none\n(*).x none")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := Parse("f", strings.NewReader(text))
		var syntax *SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Fatalf("%v names no place", err)
		}
		for _, row := range rows {
			if row.ImportPath() == "" || row.Line == 0 || row.Col == 0 {
				t.Fatalf("%+v lacks a path or a place", row)
			}
		}
	})
}
