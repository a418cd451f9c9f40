package typeset

import "go/types"

// Answers reports whether a value of t has what a server answers with: a ResponseWriter in a field, embedded or not, or from a method, or
// the server's end of an RPC stream. The context that it brings is then that of a request.
func Answers(t types.Type) bool {
	if Method(t, "SetTrailer") != nil && Method(t, "SendMsg") != nil || IsResponseWriter(t) {
		return true
	}
	if m := Method(t, "Response"); m != nil && m.Signature().Results().Len() == 1 {
		return true
	}
	st, ok := Deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if IsResponseWriter(f.Type()) || f.Embedded() && !types.Identical(f.Type(), t) && embedsAnswer(f.Type()) {
			return true
		}
	}
	return false
}

// embedsAnswer looks one level into what is embedded: a framework's context in an application's own.
func embedsAnswer(t types.Type) bool {
	st, ok := Deref(t).Underlying().(*types.Struct)
	if !ok {
		return IsResponseWriter(t)
	}
	for f := range st.Fields() {
		if IsResponseWriter(f.Type()) {
			return true
		}
	}
	return false
}

// IsResponseWriter reports whether t has the methods of an http.ResponseWriter.
func IsResponseWriter(t types.Type) bool {
	return Method(t, "WriteHeader") != nil && Method(t, "Header") != nil && Method(t, "Write") != nil
}
