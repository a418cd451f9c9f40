package settings

import (
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// mapping calls key for each entry of a mapping.
func (r *reader) mapping(node ast.Node, name string, key func(*token.Token, ast.Node) error) error {
	var entries []*ast.MappingValueNode
	switch node := node.(type) {
	case *ast.MappingNode:
		entries = node.Values
	case *ast.MappingValueNode: // a mapping with one entry
		entries = []*ast.MappingValueNode{node}
	case *ast.NullNode:
		return nil // the key with nothing under it
	default:
		return r.wrong(node, name, "keys and values, one `key: value` a line")
	}
	for _, entry := range entries {
		if entry.Key.IsMergeKey() {
			return r.at(entry.Key.GetToken(), "merge keys are not read here: write the keys out")
		}
		if err := key(entry.Key.GetToken(), entry.Value); err != nil {
			return err
		}
	}
	return nil
}

// list calls add for each string of a list.
func (r *reader) list(name string, node ast.Node, add func(*token.Token, string) error) error {
	seq, ok := node.(*ast.SequenceNode)
	if !ok {
		if node.Type() == ast.NullType {
			return nil
		}
		return r.wrong(node, name, "a list of strings, such as [a, b]")
	}
	for _, item := range seq.Values {
		str, ok := item.(*ast.StringNode)
		if !ok {
			return r.wrong(item, "an entry of "+name, "a string; put it in quotes if it looks like something else")
		}
		if err := add(str.GetToken(), str.Value); err != nil {
			return err
		}
	}
	return nil
}

// flag reads true or false.
func (r *reader) flag(name string, node ast.Node, into *bool) error {
	b, ok := node.(*ast.BoolNode)
	if !ok {
		return r.wrong(node, name, "true or false")
	}
	*into = b.Value
	return nil
}

// duration reads a length of time.
func (r *reader) duration(name string, node ast.Node, into *time.Duration) error {
	const want = "a duration such as 100ms or 1m30s"
	str, ok := node.(*ast.StringNode)
	if !ok {
		return r.wrong(node, name, want)
	}
	d, err := time.ParseDuration(str.Value)
	if err != nil || d < 0 {
		return r.at(str.GetToken(), "%s is %q: write %s", name, str.Value, want)
	}
	*into = d
	return nil
}

// wrong says that a value has another type than the one wanted.
func (r *reader) wrong(node ast.Node, name, want string) error {
	tk := node.GetToken()
	switch node.Type() {
	case ast.AnchorType, ast.AliasType, ast.TagType:
		return r.at(tk, "anchors, aliases and tags are not read here: write the value out")
	case ast.MappingType, ast.MappingValueType:
		return r.at(tk, "%s is a mapping: write %s", name, want)
	case ast.SequenceType:
		return r.at(tk, "%s is a list: write %s", name, want)
	case ast.NullType:
		return r.at(tk, "%s is empty: write %s", name, want)
	}
	return r.at(tk, "%s is %s: write %s", name, tk.Value, want)
}
