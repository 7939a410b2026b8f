package tokenizer

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/vocab"
	"github.com/sluice-engine/sluice/core/internal/wire"
)

// Field numbers and values of a SentencePiece model.
const (
	spPieces, spTrainer, spNormalizer = 1, 2, 3
	spText, spScore, spType           = 1, 2, 3 // of a piece
	spModelType                       = 3       // of the trainer
	spCharsmap, spExtraSpaces         = 2, 4    // of the normalizer
	spSuffix, spFallback              = 24, 35  // of the trainer

	spBPE                                      = 2 // a model type
	spNormal, spUserDefined, spUnused, spBytes = 1, 4, 5, 6
)

type spPiece struct {
	text  string // with spaces; "" for a piece that no text has
	score float32
	kind  uint64
}

// sentencePiece reads a SentencePiece model with byte pair encoding: parts merge by the score of the piece that they
// become.
func sentencePiece(v *vocab.Vocabulary, data []byte) (*Tokenizer, error) {
	var list []spPiece
	model, extraSpaces, fallback, problem := uint64(1), true, false, ""
	err := vocab.Fields(data, 0, func(part *wire.Field) error {
		switch part.Number {
		case spPieces:
			p := spPiece{kind: spNormal}
			err := vocab.Fields(part.Bytes, part.At, func(x *wire.Field) error {
				switch x.Number {
				case spText:
					if text := string(x.Bytes); !strings.Contains(text, " ") { // else never found: texts have ▁ by then
						p.text = strings.ReplaceAll(text, "▁", " ")
					}
				case spScore:
					if len(x.Bytes) == 4 {
						p.score = math.Float32frombits(binary.LittleEndian.Uint32(x.Bytes))
					}
				case spType:
					p.kind = x.Value
				}
				return nil
			})
			list = append(list, p)
			return err
		case spTrainer:
			return vocab.Fields(part.Bytes, part.At, func(x *wire.Field) error {
				switch x.Number {
				case spModelType:
					model = x.Value
				case spFallback:
					fallback = x.Value != 0
				case spSuffix:
					if x.Value != 0 {
						problem = "writes spaces behind words"
					}
				}
				return nil
			})
		case spNormalizer:
			return vocab.Fields(part.Bytes, part.At, func(x *wire.Field) error {
				switch x.Number {
				case spCharsmap:
					if len(x.Bytes) > 0 {
						problem = "normalizes text with a table (precompiled_charsmap)"
					}
				case spExtraSpaces:
					extraSpaces = x.Value != 0
				}
				return nil
			})
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case model != spBPE:
		problem = "is no byte pair encoding"
	case extraSpaces:
		problem = "removes spaces (remove_extra_whitespaces)"
	case slices.ContainsFunc(list, func(p spPiece) bool { return p.kind == spUnused }):
		problem = "has unused pieces"
	}
	if problem != "" {
		return nil, diag.Errorf(diag.Unsupported, source, diag.Place{},
			"forced tokens cannot be found for this SentencePiece model, since it %s", problem)
	}
	return pieceMerges(v, list, fallback), nil
}

func pieceMerges(v *vocab.Vocabulary, list []spPiece, fallback bool) *Tokenizer {
	t := &Tokenizer{vocabulary: v, spaced: true}
	m := &merges{chars: map[rune]uint32{}, ranks: make(map[string]merged, len(list)), joint: true}
	for b := range m.bytes {
		m.bytes[b] = -1
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[b].score, list[a].score) })
	var added []addedToken
	rank := uint32(0)
	for i, id := range order {
		p := &list[id]
		if i > 0 && p.score != list[order[i-1]].score {
			rank = uint32(i)
		}
		switch p.kind {
		case spBytes:
			if b := v.Bytes(uint32(id)); len(b) == 1 && fallback {
				m.bytes[b[0]] = int32(id)
			}
		case spUserDefined:
			added = append(added, addedToken{text: []byte(p.text), id: uint32(id)})
			t.joins.add([]byte(p.text))
		case spNormal:
			m.ranks[p.text] = merged{rank, uint32(id)}
			t.joins.add([]byte(p.text))
			if r, n := utf8.DecodeRuneInString(p.text); n == len(p.text) && n > 0 {
				m.chars[r] = uint32(id)
			}
		}
	}
	t.added, t.model = newAdded(added), m
	return t
}
