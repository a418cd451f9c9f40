package typeset

import "go/types"

// IsContext reports whether t is context.Context, or an interface that has all of its methods, such as one that embeds it.
func IsContext(t types.Type) bool {
	if t == nil {
		return false
	}
	if Is(t, "context", "Context") {
		return true
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || isTypeParam(t) {
		return false
	}
	return iface.NumMethods() >= 4 && hasContextMethods(t)
}

// ImplementsContext reports whether a value of type t can be passed as a context.Context: a context itself, or a defined
// type with its methods, such as *gin.Context.
func ImplementsContext(t types.Type) bool {
	if t == nil {
		return false
	}
	if IsContext(t) {
		return true
	}
	return Named(t) != nil && hasContextMethods(t)
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// hasContextMethods compares shapes, since package context may not be among the imports.
func hasContextMethods(t types.Type) bool {
	done := Method(t, "Done")
	if done == nil || !isDone(done.Signature()) {
		return false
	}
	e := Method(t, "Err")
	if e == nil || !shape(e.Signature(), 0, 1) || !IsError(e.Signature().Results().At(0).Type()) {
		return false
	}
	d := Method(t, "Deadline")
	if d == nil || !shape(d.Signature(), 0, 2) || !IsTime(d.Signature().Results().At(0).Type()) {
		return false
	}
	v := Method(t, "Value")
	return v != nil && shape(v.Signature(), 1, 1)
}

func isDone(sig *types.Signature) bool {
	return shape(sig, 0, 1) && IsSignalChan(sig.Results().At(0).Type())
}

func shape(sig *types.Signature, params, results int) bool {
	return sig.Params().Len() == params && sig.Results().Len() == results
}

// Method returns the method of t with that name, promoted ones included, or nil. An unexported name is not looked for.
func Method(t types.Type, name string) *types.Func {
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, _ := obj.(*types.Func)
	return fn
}

// ContextMethod returns the method Context() context.Context of t, or nil. Requests, RPC streams, commands and messages
// have one.
func ContextMethod(t types.Type) *types.Func {
	m := Method(t, "Context")
	if m == nil || !shape(m.Signature(), 0, 1) || !IsContext(m.Signature().Results().At(0).Type()) {
		return nil
	}
	return m
}

// HasContextMethod reports whether t has a method Context() context.Context.
func HasContextMethod(t types.Type) bool { return ContextMethod(t) != nil }

// ContextParam returns the index of the first parameter of sig that is a context (the receiver not counted), or -1.
func ContextParam(sig *types.Signature) int {
	return param(sig, IsContext)
}

// ReturnsContext reports whether a result of sig is a context.
func ReturnsContext(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if IsContext(v.Type()) {
			return true
		}
	}
	return false
}

// RequestParam returns the index of the first parameter of sig that is a *http.Request, or -1.
func RequestParam(sig *types.Signature) int {
	return param(sig, IsRequest)
}

func param(sig *types.Signature, is func(types.Type) bool) int {
	if sig == nil {
		return -1
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break // a list of contexts is none
		}
		if is(t) {
			return i
		}
	}
	return -1
}

// ReturnsError reports whether the last result of sig is an error.
func ReturnsError(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && IsError(sig.Results().At(n-1).Type())
}

// ContextField returns the first field of the struct behind t (or behind a pointer to it) that holds a context, embedded
// ones included, or nil.
func ContextField(t types.Type) *types.Var {
	if t == nil {
		return nil
	}
	s, ok := Deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if IsContext(f.Type()) {
			return f
		}
	}
	return nil
}
