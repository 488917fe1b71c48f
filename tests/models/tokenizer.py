"""A tokenizer without a training corpus: one token per byte, then the family's special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.models.spec import Tokens

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

CONTEXT = 32_768


def byte_tokenizer(tokens: Tokens) -> PreTrainedTokenizerFast:
    """Return a byte-level BPE tokenizer without merges; ``len()`` of it is 256 + the number of special tokens.

    Ids stay below that length on purpose: streaming detokenizers index a table with them.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bpe = Tokenizer(models.BPE(vocab={char: i for i, char in enumerate(alphabet)}, merges=[]))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in tokens.specials])
    bpe.add_tokens([AddedToken(text, special=False, normalized=False) for text in tokens.shown])
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        eos_token=tokens.eos,
        pad_token=tokens.pad,
        bos_token=tokens.bos,
        extra_special_tokens=dict(tokens.named),
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
    )


def printable_ids(tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """Return the ids of the printable ASCII characters: what random weights may say that people could read."""
    return [tokenizer.encode(chr(code), add_special_tokens=False)[0] for code in range(0x20, 0x7F)]
