package vocab

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// An endRule says when a token with a well-known name ends a generation.
type endRule uint8

const (
	// always: the name has no other meaning in any known model.
	always endRule = iota
	// ifSpecial: only if the tokenizer marks it as special. In Gemma "</s>" is an HTML tag, while "<eos>" ends the
	// sequence.
	ifSpecial
	// ifNoReturn: unless there is a "<|return|>". In Phi "<|end|>" ends the turn. In the harmony format of gpt-oss it
	// ends one message of several, and stopping there would cut the answer off after the reasoning.
	ifNoReturn
)

// endNames are the default end tokens: ends of text, of turns and of messages to a tool, since the engine stops at all
// of them. Omitted on purpose: beginnings of the next turn ("<|user|>", "<|observation|>"), which some models list as
// ends but which prompts contain too; padding; separators ("[SEP]", "<|endofprompt|>").
var endNames = []struct {
	name string
	rule endRule
}{
	{"</s>", ifSpecial},  // Llama 1 and 2, Mistral, T5
	{"<eos>", ifSpecial}, // Gemma
	{"[EOS]", ifSpecial}, // Kimi
	{"<EOS>", ifSpecial},
	{"<|endoftext|>", always},   // GPT-2, Qwen, Phi, OLMo, Falcon, o200k
	{"<|end_of_text|>", always}, // Llama 3, Granite
	{"<|eot_id|>", always},      // Llama 3: end of turn
	{"<|eom_id|>", always},      // Llama 3: end of message, a tool is to answer
	{"<|eot|>", always},         // Llama 4
	{"<|eom|>", always},
	{"<|EOT|>", always}, // DeepSeek Coder
	{"<EOT>", ifSpecial},
	{"[EOT]", ifSpecial},
	{"<|im_end|>", always}, // ChatML: Qwen, Yi, InternLM, Phi 4
	{"<|end|>", ifNoReturn},
	{"<|return|>", always},      // harmony
	{"<|call|>", always},        // harmony: a tool is to answer
	{"<end_of_turn>", always},   // Gemma
	{"<|end_of_turn|>", always}, // OpenChat
	{"<|endofturn|>", always},
	{"[|endofturn|]", always},         // EXAONE
	{"<|END_OF_TURN_TOKEN|>", always}, // Command R
	{"<EOS_TOKEN>", ifSpecial},
	{"<|eos|>", always},
	{"<|end_of_sentence|>", always}, // ERNIE
	{"<｜end▁of▁sentence｜>", always}, // DeepSeek; full-width bars and block characters
	{"<seed:eos>", always},          // Seed-OSS
	{"<|endofresponse|>", always},
}

// endTokens returns the sorted end tokens: the given ones, or the ones with well-known names. The latter become
// special even if the file calls them text: otherwise an end could not be distinguished from text.
func (b *builder) endTokens(given []uint32) ([]uint32, error) {
	if given != nil {
		ids := slices.Clone(given)
		slices.Sort(ids)
		ids = slices.Compact(ids)
		if n := len(ids); n > 0 && int64(ids[n-1]) >= int64(len(b.spans)) {
			return nil, diag.Errorf(diag.Argument, source, diag.Place{},
				"end token %d is not in the vocabulary, which has ids 0 to %d", ids[n-1], len(b.spans)-1)
		}
		return ids, nil
	}
	ids := []uint32{}
	_, harmony := b.names["<|return|>"]
	for _, e := range endNames {
		id, ok := b.names[e.name]
		if !ok || e.rule == ifSpecial && b.flags[id]&Special == 0 || e.rule == ifNoReturn && harmony {
			continue
		}
		// The special token must spell the name that TokenID finds.
		if b.flags[id]&Special == 0 {
			if err := b.set(id, []byte(e.name), Special); err != nil {
				return nil, err
			}
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
