package summaries

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// unread follows the reading end of a pipe through a function that has it, to the returns by which it is left with more to come: nobody has
// touched it yet, or it is read piece by piece and something else fails in between.
//
//	for {
//		n, err := io.ReadFull(r, buf)
//		…
//		if err := put(buf[:n]); err != nil {
//			return err
//		}
//	}
type unread struct {
	*leftWalk
	r      *Result
	reader *aliases
	on     *aliases                      // what reads from it: a bufio.Scanner, a tar.Reader
	reads  map[*ssa.Call]bool            // the calls that read a piece
	also   func(in ssa.Instruction) bool // what else makes it nobody's loss
	depth  int
	broken []*ssa.BasicBlock // what is run when something else has failed between two reads
}

// newUnread finds what reads from a pipe's end in a function.
func (r *Result) newUnread(fn *ssa.Function, reader *aliases, walk *leftWalk, depth int) *unread {
	u := &unread{leftWalk: walk, r: r, reader: reader, on: aliasesOf(false), reads: make(map[*ssa.Call]bool),
		also: func(ssa.Instruction) bool { return false }, depth: depth}
	for more := true; more; {
		more = false
		reader.spread(fn)
		u.on.spread(fn)
		for c := range ssawalk.Calls(fn) {
			call, ok := c.(*ssa.Call)
			if !ok || u.reads[call] || !u.readsPiece(call) {
				continue
			}
			u.reads[call], more = true, true
			for _, v := range resultsOf(call) {
				u.on.vals[v] = u.on.vals[v] || canRead(v.Type())
			}
		}
	}
	return u
}

// ways returns the returns that leave it with more to come, from an instruction on, in source order.
func (u *unread) ways(from ssa.Instruction) []leftWay {
	var out []leftWay
	untouched := func(in ssa.Instruction) bool { return u.also(in) || u.touches(in) && !u.leavesBelow(in) }
	for _, ret := range reached(from, isReturn, untouched, u.take) {
		out = append(out, u.waysBy(ret.(*ssa.Return))...)
	}
	never := func(ssa.Instruction) bool { return false }
	ends := func(in ssa.Instruction) bool { return u.also(in) || u.touches(in) && !u.isRead(in) }
	reached(from, never, ends, u.takeBetween)
	for _, b := range u.broken {
		gone := func(in ssa.Instruction) bool { return u.also(in) || u.touches(in) }
		for _, ret := range reached(b.Instrs[0], isReturn, gone, u.take) {
			out = append(out, u.waysBy(ret.(*ssa.Return))...)
		}
	}
	slices.SortFunc(out, func(a, b leftWay) int { return int(a.ret.Pos() - b.ret.Pos()) })
	return out
}

// touches reports whether an instruction does something with the pipe's end, or with what reads from it.
func (u *unread) touches(in ssa.Instruction) bool {
	if u.reader.used(in) {
		return true
	}
	if late, ok := in.(*ssa.Defer); ok && u.on.has(ssawalk.Resolve(late).Recv) {
		return false // the end of a gzip.Reader is not that of what it reads from
	}
	return u.on.used(in)
}

func (u *unread) isRead(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && u.reads[call]
}

// readsPiece reports whether a call reads something from the pipe, of which there may be more, or puts a reader on it.
func (u *unread) readsPiece(call *ssa.Call) bool {
	s := ssawalk.Resolve(call)
	switch {
	case s.Func == nil:
		return false
	case u.on.has(s.Recv):
		return true
	case u.reader.has(s.Recv):
		return s.Func.Name() == "Read"
	case s.Func.Pkg() == nil || !keepsOpen(s.Func.Pkg().Path()):
		return false // it may close it
	}
	if all := s.Func.Name(); all == "Copy" || all == "CopyBuffer" || all == "ReadAll" {
		return false // it reads all there is; whether what it writes to fails is not told
	}
	return slices.ContainsFunc(s.Args, func(a ssa.Value) bool { return u.reader.has(a) || u.on.has(a) })
}

// keepsOpen reports whether the functions of a package read from what they are given and never close it.
func keepsOpen(path string) bool {
	dir, _, _ := strings.Cut(path, "/")
	return slices.Contains([]string{"io", "bufio", "encoding", "compress", "archive", "hash", "mime"}, dir)
}

// canRead reports whether values of type t read, by what they can do.
func canRead(t types.Type) bool {
	if _, ptr := t.(*types.Pointer); !ptr && !types.IsInterface(t) {
		return false
	}
	for _, name := range [...]string{"Read", "Scan", "Next", "Decode"} {
		if typeset.Method(t, name) != nil {
			return true
		}
	}
	return false
}

// leavesBelow reports whether an instruction gives the end to a function of this package that may leave it with more to come.
func (u *unread) leavesBelow(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok || u.depth >= maxWriters || u.isRead(in) {
		return false
	}
	targets, all := u.r.ctx.Targets(call.Common())
	if !all || len(targets) != 1 || targets[0].Fn == nil || len(targets[0].Fn.Blocks) == 0 {
		return false // out of sight
	}
	fn, given := targets[0].Fn, aliasesOf(false)
	for i, a := range targets[0].Args {
		if i < len(fn.Params) && a != nil && u.reader.has(a) {
			given.vals[fn.Params[i]] = true
		}
	}
	if len(given.vals) == 0 {
		return false // a method of it, or a reader on it is given away
	}
	ways := u.r.newUnread(fn, given, newLeftWalk(nil), u.depth+1).ways(fn.Blocks[0].Instrs[0])
	if len(ways) > 0 {
		u.failed[call] = ways
	}
	return len(ways) > 0
}

// take reports whether a branch may surely be taken with more to come. What asks whether the end can be closed finds that it can, and a loop
// that has to do with it is taken to go round.
func (u *unread) take(from, to *ssa.BasicBlock) bool {
	if skipsLoop(from, to, u.touches) {
		return false
	}
	if branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
		cond, taken := loops.Plain(branch.Cond, from.Succs[0] == to)
		if x, ok := cond.(*ssa.Extract); ok && u.reader.vals[x.Tuple] {
			return taken
		}
	}
	return u.leftWalk.take(from, to)
}

// takeBetween goes only where the reads have brought something, and notes where something else has failed between two of them.
func (u *unread) takeBetween(from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return true
	}
	cond, taken := loops.Plain(branch.Cond, from.Succs[0] == to)
	if said, about := u.brought(cond); about {
		return said == taken
	}
	if onFailure(from, to) && u.betweenReads(cond) {
		u.broken = append(u.broken, to)
		return false
	}
	return u.take(from, to)
}

// brought returns what a condition about a read answers when there may be more, and whether it is about one.
func (u *unread) brought(cond ssa.Value) (answer, about bool) {
	switch cond := cond.(type) {
	case *ssa.Call:
		if u.reads[cond] {
			return true, true // Scan, Next, More
		}
		if calledIs(cond, "errors.Is") {
			return false, slices.ContainsFunc(cond.Call.Args, func(a ssa.Value) bool { return u.reads[madeByCall(a)] })
		}
	case *ssa.BinOp:
		if !u.reads[madeByCall(cond.X)] && !u.reads[madeByCall(cond.Y)] {
			return false, false
		}
		switch cond.Op {
		case token.EQL:
			return ssawalk.IsNil(cond.Y), true
		case token.NEQ:
			return !ssawalk.IsNil(cond.Y), true
		}
		return cond.Op == token.GTR || cond.Op == token.GEQ, true
	}
	return false, false
}

// betweenReads reports whether a failure is that of a call in a loop that reads piece by piece.
func (u *unread) betweenReads(cond ssa.Value) bool {
	err, _ := loops.NilTest(cond)
	failed := madeByCall(err)
	if failed == nil {
		return false
	}
	for l := channels.LoopOf(failed.Block()); l != nil; l = l.Outer() {
		for read := range u.reads {
			if l.Blocks[read.Block()] {
				return true
			}
		}
	}
	return false
}
