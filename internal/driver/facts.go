package driver

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// factKey names a fact: of an object, or of a package when obj is nil.
type factKey struct {
	pkg *types.Package
	obj types.Object
	t   reflect.Type
}

// savedFact is a fact as it is written: of the object at Path in its package, or of the package when Path is empty.
type savedFact struct {
	Path    objectpath.Path
	Fact    analysis.Fact
	travels bool // see travels; not written
}

// registerFacts makes the types of the facts known to gob.
func registerFacts(analyzers []*analysis.Analyzer) {
	for _, a := range analyzers {
		for _, f := range a.FactTypes {
			gob.Register(f)
		}
	}
}

// encodeFacts writes the facts of one package. Facts of objects that no other package can name are left out. To all it
// writes what the facts say, to travelling what those say that indirect importers see. That is what gets hashed, not the
// bytes: gob numbers types in the order in which a process meets them.
func encodeFacts(facts map[factKey]analysis.Fact, all, travelling io.Writer) ([]byte, error) {
	var saved []savedFact
	enc := new(objectpath.Encoder)
	for key, fact := range facts {
		s := savedFact{Fact: fact, travels: travels(key.obj)}
		if key.obj != nil {
			path, err := enc.For(key.obj)
			if err != nil {
				continue
			}
			s.Path = path
		}
		saved = append(saved, s)
	}
	if len(saved) == 0 {
		return nil, nil
	}
	slices.SortFunc(saved, func(a, b savedFact) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(fmt.Sprintf("%T", a.Fact), fmt.Sprintf("%T", b.Fact)))
	})
	for _, s := range saved {
		said, err := factText(s.Fact)
		if err != nil {
			return nil, fmt.Errorf("a fact of type %T cannot be written: %w", s.Fact, err)
		}
		fmt.Fprintf(all, "fact %q %T %q\n", s.Path, s.Fact, said)
		if s.travels {
			fmt.Fprintf(travelling, "fact %q %T %q\n", s.Path, s.Fact, said)
		}
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(saved); err != nil {
		return nil, fmt.Errorf("facts cannot be written: %w", err)
	}
	return buf.Bytes(), nil
}

// factText returns all that a fact says, the same in every process.
func factText(fact analysis.Fact) ([]byte, error) {
	if own, ok := fact.(gob.GobEncoder); ok {
		return own.GobEncode()
	}
	return json.Marshal(fact)
}

func decodeFacts(data []byte) ([]savedFact, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var saved []savedFact
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&saved)
	return saved, err
}

// readFacts makes the facts of an own package known to all who use the importer, once.
func (im *importer) readFacts(path string, data []byte) error {
	im.mu.Lock()
	defer im.mu.Unlock()
	if im.read[path] || len(data) == 0 {
		return nil
	}
	pkg, err := im.loadLocked(path)
	if err != nil {
		return err
	}
	saved, err := decodeFacts(data)
	if err != nil {
		return fmt.Errorf("its facts cannot be read: %w", err)
	}
	im.factMu.Lock()
	defer im.factMu.Unlock()
	for _, s := range saved {
		key := factKey{pkg: pkg, t: reflect.TypeOf(s.Fact)}
		if s.Path != "" {
			obj, err := objectpath.Object(pkg, s.Path)
			if err != nil {
				continue // an object that the export data leaves out: nobody can name it
			}
			key.obj = obj
		}
		im.facts[key] = s.Fact
	}
	im.read[path] = true
	return nil
}

// factSet is what the analyzers of one package see: its own facts, and those of its imports that every driver has.
type factSet struct {
	pkg    *types.Package
	direct map[*types.Package]bool
	im     *importer
	own    map[factKey]analysis.Fact
}

func newFactSet(pkg *types.Package, im *importer) *factSet {
	s := &factSet{pkg: pkg, im: im, direct: make(map[*types.Package]bool), own: make(map[factKey]analysis.Fact)}
	for _, p := range pkg.Imports() {
		s.direct[p] = true
	}
	return s
}

func (s *factSet) importObject(obj types.Object, into analysis.Fact) bool {
	if obj == nil {
		panic("a fact of a nil object was asked for")
	}
	if obj.Pkg() == nil {
		return false // universe
	}
	return s.get(factKey{obj.Pkg(), obj, reflect.TypeOf(into)}, into)
}

func (s *factSet) importPackage(pkg *types.Package, into analysis.Fact) bool {
	return s.get(factKey{pkg, nil, reflect.TypeOf(into)}, into)
}

// get copies a fact. Of packages that are not imported directly only methods, fields and types have facts: go vet and
// the others know no more.
func (s *factSet) get(key factKey, into analysis.Fact) bool {
	var fact analysis.Fact
	if key.pkg == s.pkg {
		fact = s.own[key]
	} else if s.direct[key.pkg] || travels(key.obj) {
		s.im.factMu.RLock()
		fact = s.im.facts[key]
		s.im.factMu.RUnlock()
	}
	if fact == nil {
		return false
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(fact).Elem())
	return true
}

// travels reports whether a fact of the object reaches packages that import its package indirectly.
func travels(obj types.Object) bool {
	if obj == nil {
		return false
	}
	_, isType := obj.(*types.TypeName)
	return isType || obj.Parent() != obj.Pkg().Scope()
}

func (s *factSet) exportObject(obj types.Object, fact analysis.Fact) {
	if obj == nil || obj.Pkg() != s.pkg {
		panic(fmt.Sprintf("a fact %T of %v, which is not of package %s", fact, obj, s.pkg.Path()))
	}
	s.own[factKey{s.pkg, obj, reflect.TypeOf(fact)}] = fact
}

func (s *factSet) exportPackage(fact analysis.Fact) {
	s.own[factKey{s.pkg, nil, reflect.TypeOf(fact)}] = fact
}
