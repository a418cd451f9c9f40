package typeset

import (
	"go/types"
	"strings"
)

// Answers reports whether a value of t has what a server answers with: a ResponseWriter in a field, embedded or not, or from a method, or
// the server's end of an RPC stream. The context that it brings is then that of a request.
func Answers(t types.Type) bool {
	if IsServerStream(t) || IsResponseWriter(t) {
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

// IsServerStream reports whether t is the server's side of an RPC stream.
func IsServerStream(t types.Type) bool {
	if strings.HasPrefix(Name(t), "*connectrpc.com/connect.") && strings.HasSuffix(Name(t), "Stream") {
		return true
	}
	return types.IsInterface(t) && HasContextMethod(t) && Method(t, "SendMsg") != nil && Method(t, "SetTrailer") != nil &&
		Method(t, "SetHeader") != nil
}
