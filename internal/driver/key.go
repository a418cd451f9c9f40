package driver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
	"sync"

	"honnef.co/go/tools/lintcmd/cache"
)

// Executable returns a hash of the running program: what it finds may differ from what another build finds.
var Executable = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// salt hashes what is the same for all packages of a run: the program, the configuration, the analyzers, the build.
func salt(ctx context.Context, o Options) (string, buildEnv, error) {
	exe, err := Executable()
	if err != nil {
		return "", buildEnv{}, fmt.Errorf("the program cannot read itself: %w", err)
	}
	env, err := goEnv(ctx, o.Dir)
	if err != nil {
		return "", env, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "doneby 1\nexe %s\nconfig %s\nbuild %+v tags %q\n", exe, o.Config.Hash(), env, o.Tags)
	for _, a := range o.Analyzers {
		fmt.Fprintf(h, "analyzer %s\n", a.Name)
	}
	return hex.EncodeToString(h.Sum(nil)), env, nil
}

// key hashes all that the findings and facts of the unit can depend on: what is the same for all, its own files, and of
// each import the build if it is foreign, or else what can be seen of it: its API and facts. The export data of an own
// package will not do: positions in it change with every comment.
func (r *run) key(u *unit) cache.ActionID {
	h := sha256.New()
	fmt.Fprintf(h, "%s\npackage %q %q main %v\n", r.salt, u.ImportPath, u.ForTest, u.Name)
	if u.Module != nil {
		fmt.Fprintf(h, "module %q go %q\n", u.Module.Path, u.Module.GoVersion)
	}
	for i, name := range u.files {
		fmt.Fprintf(h, "file %q %x\n", relative(u.Dir, name), sha256.Sum256(u.contents[i]))
	}
	for _, id := range u.Imports {
		r.hashImport(h, id)
	}
	var out cache.ActionID
	h.Sum(out[:0])
	return out
}

// hashImport hashes what can be seen of the package with that ID.
func (r *run) hashImport(h hash.Hash, id string) {
	if dep := r.units[id]; dep != nil {
		fmt.Fprintf(h, "own %q %s\n", id, dep.exported)
	} else if p := r.listed[id]; p != nil {
		fmt.Fprintf(h, "import %q %s\n", id, contentID(p.BuildID))
	}
}

// contentID returns the part of a build ID that says what came out of the build; the part before says what went in.
func contentID(buildID string) string {
	return buildID[strings.LastIndexByte(buildID, '/')+1:]
}
