"""sluice.hf in `generate` of transformers, on tiny random models: every output is judged, and compared with the choices
of a processor that begins anew at every call.
"""

from __future__ import annotations

import re

import pytest
import torch
import transformers
from conftest import CONSTRAINTS, ROOT
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

import sluice
import sluice.hf

PROMPTS = ["Say yes or no", "A number, please: what is the temperature in Oslo, in which unit, and who asks?"]
LENGTH = 120


class Anew:
    """The slow and obvious processor: a matcher is made for each row, and moved over all that the row has."""

    def __init__(self, grammars):
        self.grammars, self.start = grammars, None

    def __call__(self, input_ids, scores):
        if self.start is None:
            self.start = input_ids.shape[1]
        out, share = scores.clone(), len(input_ids) // len(self.grammars)
        vocabulary = next(g for g in self.grammars if g).vocabulary
        for i, row in enumerate(input_ids[:, self.start :].tolist()):
            grammar = self.grammars[i // share]
            if grammar is None:
                continue
            matcher, mask = grammar.matcher(), torch.zeros(vocabulary.words, dtype=torch.int32)
            if matcher.accept_tokens(row) == len(row):
                matcher.fill(mask)
                allowed = ((mask.unsqueeze(-1) >> torch.arange(32, dtype=torch.int32)) & 1).bool().flatten()
            else:
                allowed = torch.zeros(32 * vocabulary.words, dtype=torch.bool)
                allowed[list(vocabulary.end_tokens)] = True
            out[i, : len(allowed)].masked_fill_(~allowed[: out.shape[1]], -torch.inf)
            out[i, len(allowed) :] = -torch.inf
        return out


def small(vocabulary, end, make, config, **more):
    torch.manual_seed(5)
    # As models have it: more logits than tokens.
    made = config(vocab_size=vocabulary.size + 64, eos_token_id=end, pad_token_id=end, bos_token_id=None, **more)
    return make(made).eval()


SIZES = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
MODELS = {
    "llama": (LlamaForCausalLM, LlamaConfig, {**SIZES, "num_key_value_heads": 2}),
    "qwen2": (Qwen2ForCausalLM, Qwen2Config, {**SIZES, "num_key_value_heads": 2}),
    "gpt2": (GPT2LMHeadModel, GPT2Config, {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 512}),
    "t5": (
        T5ForConditionalGeneration,
        T5Config,
        {"d_model": 32, "d_ff": 32, "d_kv": 8, "num_layers": 2, "num_heads": 2, "decoder_start_token_id": 0},
    ),
}


@pytest.fixture(scope="session")
def models(vocabulary, tokenizer):
    return {name: small(vocabulary, tokenizer.eos_token_id, m, c, **more) for name, (m, c, more) in MODELS.items()}


def inputs(tokenizer, prompts, side="left"):
    tokenizer.padding_side = side
    made = tokenizer(prompts, return_tensors="pt", padding=True)
    made.pop("token_type_ids", None)
    return made


def outputs(model, tokenizer, given, processor, **options):
    """Returns the generated rows: all ids, and the text."""
    torch.manual_seed(3)
    options = {"do_sample": False, "max_new_tokens": LENGTH, **options}
    ids = model.generate(**given, logits_processor=[processor], **options)
    start = 1 if model.config.is_encoder_decoder else given["input_ids"].shape[1]
    return ids, tokenizer.batch_decode(ids[:, start:], skip_special_tokens=True)


@pytest.mark.parametrize("name", MODELS)
def test_each_model_and_kind(models, tokenizer, compiler, name, constraint):
    grammar = compiler.compile(constraint.kind, constraint.spec, **constraint.options)
    for options in ({}, {"do_sample": True, "num_return_sequences": 3}, {"num_beams": 3}):
        given = inputs(tokenizer, PROMPTS)
        ids, texts = outputs(models[name], tokenizer, given, sluice.hf.LogitsProcessor(grammar), **options)
        assert len(texts) == 2 * options.get("num_return_sequences", 1)
        for text in texts:
            assert constraint.right(text), (options, text)
        expected, _ = outputs(models[name], tokenizer, given, Anew([grammar]), **options)
        assert torch.equal(ids, expected), options


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("options", [{}, {"do_sample": True, "num_return_sequences": 2}, {"num_beams": 4}], ids=str)
def test_a_grammar_for_each_prompt(models, tokenizer, compiler, side, options):
    """Rows end at different steps, and one is free."""
    some = [CONSTRAINTS[name] for name in ("json_schema", "choice", "structural_tag")]
    grammars = [compiler.compile(c.kind, c.spec, **c.options) for c in some] + [None]
    given = inputs(tokenizer, [*PROMPTS, "And", "A free one"], side)
    ids, texts = outputs(models["llama"], tokenizer, given, sluice.hf.LogitsProcessor(grammars), **options)
    share = options.get("num_return_sequences", 1)
    for i, text in enumerate(texts[: 3 * share]):
        assert some[i // share].right(text), text
    expected, _ = outputs(models["llama"], tokenizer, given, Anew(grammars), **options)
    assert torch.equal(ids, expected)


def test_more_beams_than_outputs(models, tokenizer, compiler):
    """A choice of two has two outputs; the other beams repeat one of them."""
    grammar = compiler.compile_choice(["red", "green"])
    given = inputs(tokenizer, PROMPTS)
    processor = sluice.hf.LogitsProcessor(grammar)
    _, texts = outputs(models["llama"], tokenizer, given, processor, num_beams=4, num_return_sequences=4)
    assert len(texts) == 8 and set(texts) <= {"green", "red"}


@pytest.mark.parametrize("sample", [False, True])
def test_assisted(models, vocabulary, tokenizer, compiler, constraint, sample):
    """Drafts of a small model with the same vocabulary, and of the prompt, go through the same processor."""
    assistant = small(vocabulary, tokenizer.eos_token_id, *MODELS["llama"][:2], **{**SIZES, "num_hidden_layers": 1})
    grammar = compiler.compile(constraint.kind, constraint.spec, **constraint.options)
    given = inputs(tokenizer, ["yes, 12 yes, 12 red green 1+1*1+1 " + '<tool_call>{"name":"x","unit":"celsius"}'])
    alone, _ = outputs(models["llama"], tokenizer, given, sluice.hf.LogitsProcessor(grammar))
    for more in ({"assistant_model": assistant}, {"prompt_lookup_num_tokens": 4}):
        processor = sluice.hf.LogitsProcessor(grammar)
        ids, texts = outputs(models["llama"], tokenizer, given, processor, do_sample=sample, **more)
        assert constraint.right(texts[0]), texts
        assert sample or torch.equal(ids, alone)


def test_scores_and_logits_are_what_they_are_called(models, tokenizer, compiler):
    given = inputs(tokenizer, PROMPTS[:1])
    out = models["llama"].generate(
        **given,
        logits_processor=[sluice.hf.LogitsProcessor(compiler.compile_choice(["red"]))],
        max_new_tokens=5,
        return_dict_in_generate=True,
        output_scores=True,
        output_logits=True,
    )
    assert bool(torch.isfinite(out.logits[0]).all()) and int(torch.isfinite(out.scores[0]).sum()) < 5


def test_options_that_forbid_what_the_grammar_demands(models, tokenizer, compiler):
    processor = sluice.hf.LogitsProcessor(compiler.compile_choice(["red"]))
    with pytest.raises(ValueError, match="min_new_tokens"):
        outputs(models["llama"], tokenizer, inputs(tokenizer, PROMPTS), processor, min_new_tokens=50)


def test_one_processor_for_two_generations(models, tokenizer, compiler):
    processor = sluice.hf.LogitsProcessor(compiler.compile_choice(["red"]))
    for reset in (False, True):
        outputs(models["llama"], tokenizer, inputs(tokenizer, PROMPTS[:1]), processor)
        if reset:
            processor.reset()
            assert outputs(models["llama"], tokenizer, inputs(tokenizer, PROMPTS), processor)[1] == ["red", "red"]
        else:
            with pytest.raises(ValueError, match="reset"):
                outputs(models["llama"], tokenizer, inputs(tokenizer, PROMPTS), processor)


def test_half_precision(models, tokenizer, compiler):
    model = small(compiler.vocabulary, tokenizer.eos_token_id, *MODELS["llama"][:2], **MODELS["llama"][2])
    processor = sluice.hf.LogitsProcessor(compiler.compile_regex("[0-9]{3}"))
    _, texts = outputs(model.to(torch.bfloat16), tokenizer, inputs(tokenizer, PROMPTS), processor)
    assert all(len(t) == 3 and t.isdigit() for t in texts)


def test_the_page(models, tokenizer, monkeypatch, capsys):
    """docs/huggingface.md, with a model that need not be fetched."""
    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", lambda name: models["qwen2"])
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", lambda name: tokenizer)
    page = (ROOT / "docs" / "huggingface.md").read_text()
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], {})
    assert capsys.readouterr().out.strip() in ('"red"', '"green"', '"blue"')
