package schema

import (
	"embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// The published schemas of schemas, without their annotations. Each file holds the documents of one dialect by URI.
//
//go:embed metaschemas/*.json
var metaschemas embed.FS

func published(uri string) string {
	d, known := dialectOf(uri)
	rest, _ := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://"), "json-schema.org/")
	switch {
	case strings.HasPrefix(rest, "draft/2019-09/meta/"):
		d, known = Draft2019, true
	case strings.HasPrefix(rest, "draft/2020-12/meta/"):
		d, known = Draft2020, true
	}
	if !known {
		return ""
	}
	return "metaschemas/" + Dialects()[d.age()] + ".json"
}

// readPublished adds the published documents that references of the tree name, unless the caller has given them. A
// $schema is not a reference.
func readPublished(tree *jsontext.Tree, given []document) ([]document, error) {
	var files []string
	for i := 1; i < tree.Len(); i++ {
		n := tree.Node(jsontext.ID(i))
		if n.Kind != jsontext.String || n.Key != "$ref" && n.Key != "$dynamicRef" && n.Key != "$recursiveRef" ||
			!strings.Contains(n.Text, "json-schema.org/") {
			continue
		}
		uri, _, _ := strings.Cut(n.Text, "#")
		if file := published(uri); file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		text, err := metaschemas.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var documents map[string]json.RawMessage
		if err := json.Unmarshal(text, &documents); err != nil {
			return nil, err
		}
		read, err := readAll(tree, documents)
		if err != nil {
			return nil, err
		}
		for _, d := range read {
			if !slices.ContainsFunc(given, func(g document) bool { return strings.TrimSuffix(g.uri, "#") == d.uri }) {
				given = append(given, d)
			}
		}
	}
	return given, nil
}

func readAll(tree *jsontext.Tree, texts map[string]json.RawMessage) ([]document, error) {
	uris := make([]string, 0, len(texts))
	for uri := range texts {
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	documents := make([]document, 0, len(uris))
	for _, uri := range uris {
		root, err := tree.Read(texts[uri], uri)
		if err != nil {
			return nil, err
		}
		documents = append(documents, document{uri, root})
	}
	return documents, nil
}
