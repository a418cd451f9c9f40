package policy

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/doneby/doneby/passes/settings"
)

// Budget is a comment that says how long a function may take: //doneby:budget 800ms reserve=50ms. It stands in the comment of a
// declaration, or on the line above the one on which a function literal begins.
type Budget struct {
	settings.Budget
	Pos, End token.Pos
	Func     ast.Node // the *ast.FuncDecl or *ast.FuncLit; nil when Wrong says something
	Wrong    string   // what is wrong with it, and what to do; "" when it is right
}

// Budgets returns the budgets that the comments of a file declare, in order, wrong ones among them.
func Budgets(fset *token.FileSet, file *ast.File) []Budget {
	var out []Budget
	var places *budgetPlaces
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "//doneby:")
			if verb, _ := word(text); !ok || verb != "budget" {
				continue
			}
			if places == nil {
				places = placesOf(fset, file)
			}
			_, args := word(text)
			args, _, _ = strings.Cut(args, "//") // a comment behind it
			out = append(out, places.budget(c, line(fset, group.End())+1, args))
		}
	}
	return out
}

// budgetPlaces are the functions of a file that a comment can stand above.
type budgetPlaces struct {
	docs     map[*ast.Comment]*ast.FuncDecl
	literals map[int]*ast.FuncLit // by the line on which they begin, the first of it
	given    map[ast.Node]bool    // have a budget
}

func placesOf(fset *token.FileSet, file *ast.File) *budgetPlaces {
	p := &budgetPlaces{map[*ast.Comment]*ast.FuncDecl{}, map[int]*ast.FuncLit{}, map[ast.Node]bool{}}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Doc != nil && n.Body != nil {
				for _, c := range n.Doc.List {
					p.docs[c] = n
				}
			}
		case *ast.FuncLit:
			if at := line(fset, n.Pos()); p.literals[at] == nil {
				p.literals[at] = n
			}
		}
		return true
	})
	return p
}

// budget reads one comment; below is the line after its group.
func (p *budgetPlaces) budget(c *ast.Comment, below int, args string) Budget {
	b := Budget{Pos: c.Pos(), End: c.End()}
	if decl := p.docs[c]; decl != nil {
		b.Func = decl
	} else if lit := p.literals[below]; lit != nil {
		b.Func = lit
	}
	var err error
	switch b.Budget, err = settings.ParseBudget(args); {
	case err != nil:
		b.Func, b.Wrong = nil, err.Error()
	case b.Func == nil:
		b.Wrong = "budget stands above no function: put it into the comment of one, or on the line above a function literal"
	case p.given[b.Func]:
		b.Func, b.Wrong = nil, "budget is the second of its function: delete one"
	default:
		p.given[b.Func] = true
	}
	return b
}
