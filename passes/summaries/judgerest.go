package summaries

// judgeRest judges a wait that nothing ends and that no function with a carrier has answered for.
func (r *Result) judgeRest(c *court, w Wait) {
	switch {
	case w.Deaf:
		return // a wait for another goroutine, where nothing can be inherited, is how the program works
	case w.End == ByParam || w.Own || w.Meant:
		return // it ends by the caller, by itself, or is meant to last
	case w.Unsure:
		return // a client made out of sight may bound it
	case w.Local:
		return // for a goroutine of this process, or for time: how the program works
	case w.Wrapper || r.answered[w.Src]:
		return // an API without a context; reported where the context was dropped
	case len(r.reach(w.In)) > 0:
		return // judged there
	case r.entries.ForegroundMain(w.In) && w.Process:
		return // the program's own wait, which its user sees and ends
	case !w.Known && w.Cleanup, w.Given:
		return // a clean-up that is only assumed to wait; decided where the function is given
	case ofDriver(w.In):
		return // package database/sql calls the form with a context
	case w.Pause:
		return // time passes, and there is nothing to inherit
	case r.endedByDatabase(w):
		return // by what the database was opened with
	case r.endedByClient(w):
		return // by the http.Client that the library was given
	case w.Foreign:
		return // the API of another own package: reported there if it is to be reported
	}
	kind, subject := "call", w.Name
	if w.End == ByRoot {
		kind, subject = "root", w.Root
	}
	switch {
	case r.oneShot(w.In):
		kind = "oneshot"
	case w.Cleanup:
		kind = "cleanup"
	case r.startsUp(w.In), opensWith(r.callAt(w.In, w.Src)):
		kind = "startup"
	case r.redials(w):
		kind = "redial"
	case w.Conn:
		kind = "conn"
	case w.Process:
		kind = "subprocess"
	case w.Hidden || !w.Known:
		kind = "assumed" // what stands behind the interface, the function value or the library may bound it, or only compute
	}
	c.add(r.verdict("unbounded", kind, w, subject, nil))
}
