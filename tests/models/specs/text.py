"""Text only: plain attention, a thinking template, short convolutions, and a state-space model without attention."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Json, Spec, Tokens
from tests.models.specs._common import WIDTH, decoder
from tests.models.specs.lfm2 import HYBRID
from tests.models.templates import THINKING, chatml

_ROPE: dict[str, Json] = {"rope_theta": 1e6, "tie_word_embeddings": False}


def _text(family: str, config: Json, template: str = chatml(), *shown: str) -> Spec:
    return Spec(
        family=family,
        tokens=Tokens(
            specials=("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
            eos="<|im_end|>",
            pad="<|endoftext|>",
            shown=shown,
        ),
        template=template,
        config={**config, "eos_token_id": Id("<|im_end|>")},
    )


SPECS = (
    _text("text_llama", decoder("llama", **_ROPE)),
    _text("text_qwen3", decoder("qwen3", **_ROPE), THINKING, "<think>", "</think>"),
    _text("text_lfm2", HYBRID),
    _text(
        "text_mamba",
        {
            "model_type": "mamba",
            "vocab_size": VOCABULARY,
            "hidden_size": WIDTH,
            "intermediate_size": 2 * WIDTH,
            "state_size": 8,
            "num_hidden_layers": 3,
            "conv_kernel": 4,
            "use_bias": False,
            "use_conv_bias": True,
            "time_step_rank": 4,
            "tie_word_embeddings": False,
        },
    ),
)
