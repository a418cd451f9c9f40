package summaries

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// The end of its context kills a command, and nothing that the command has started. Where the output is collected, os/exec copies it until
// all who have the pipe have let go of it: a shell is dead, and its children go on, and so does the wait (os/exec, Cmd.WaitDelay; go#23019).
//
//	cmd := exec.CommandContext(ctx, "sh", "-c", script)
//	out, err := cmd.CombinedOutput()

// shells are the programs that run what they are told after -c.
var shells = []string{"ash", "bash", "dash", "ksh", "sh", "zsh"}

// judgeChildren judges the waits for shells that are killed with their context, and whose children may hold the output.
func (r *Result) judgeChildren(c *court, fn *ssa.Function) {
	if r.oneShot(fn) || r.entries.TestCode(fn) {
		return // who runs it sees it hang
	}
	for call := range ssawalk.Calls(fn) {
		made, ok := call.(*ssa.Call)
		if !ok || ssawalk.CalleeName(made) != "os/exec.CommandContext" {
			continue
		}
		sh := shellOf(made)
		if sh == "" {
			continue // it starts nothing, as far as can be told
		}
		if wait := collects(made); wait != nil {
			name := strings.Replace(ssawalk.CalleeName(wait), "os/", "", 1)
			c.add(r.verdict("deafctx", "children", Wait{Name: name, Src: wait.Common().Pos(), In: fn}, sh, r.reach(fn)))
		}
	}
}

// shellOf returns the shell that a command is, and that is told to do more than one thing, or what nobody knows; "" for any other command.
// A shell that is told to run one program becomes that program.
func shellOf(made *ssa.Call) string {
	name, given := path.Base(constText(made.Call.Args[1])), contexts.Elements(made.Call.Args[2])
	if !slices.Contains(shells, name) || len(given) < 2 {
		return ""
	}
	if flag := constText(given[0]); !strings.HasPrefix(flag, "-") || !strings.HasSuffix(flag, "c") {
		return ""
	}
	script := constText(given[1])
	if script != "" && (!strings.ContainsAny(script, ";|&\n$`(") || strings.HasPrefix(script, "exec ")) {
		return ""
	}
	return name
}

// collects returns the call that waits for a command whose output this process collects, when all that is done with the command is in
// sight and nothing in it is about its children: a delay for the pipes, a way to end it, a group.
func collects(cmd *ssa.Call) ssa.CallInstruction {
	var wait ssa.CallInstruction
	copied := false
	for _, ref := range *cmd.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			field, _ := ssawalk.Field(ref)
			switch field.Name() {
			case "WaitDelay", "Cancel", "SysProcAttr", "Process":
				return nil
			case "Stdout", "Stderr":
				copied = copied || keepsOther(ref)
			}
		case *ssa.Call:
			switch ssawalk.CalleeName(ref) {
			case "(*os/exec.Cmd).Output", "(*os/exec.Cmd).CombinedOutput":
				wait, copied = ref, true
			case "(*os/exec.Cmd).Run", "(*os/exec.Cmd).Wait":
				wait = ref
			case "(*os/exec.Cmd).Start", "(*os/exec.Cmd).String", "(*os/exec.Cmd).Environ":
			default:
				return nil // others have it; pipes are closed by Wait
			}
		default:
			return nil // kept, or given away
		}
	}
	if !copied {
		return nil // its output goes to a file, or nowhere
	}
	return wait
}

// keepsOther reports whether a field of a command is given a writer that is surely no file of the system.
func keepsOther(field *ssa.FieldAddr) bool {
	for _, ref := range *field.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(field) {
			continue
		}
		if mi, ok := st.Val.(*ssa.MakeInterface); ok && !typeset.Is(typeset.Deref(mi.X.Type()), "os", "File") {
			return true
		}
	}
	return false
}
