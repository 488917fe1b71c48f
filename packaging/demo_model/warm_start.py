"""Start from an older checkpoint of the same widths: its weights are a better beginning than chance."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn


def start_from(module: nn.Module, folder: Path, prefix: str) -> None:
    """Take over the weights below ``prefix``; token embeddings are left as they are.

    Raises:
        RuntimeError: sizes or names differ.
    """
    found = {name: weight.float() for name, weight in load_file(folder / "model.safetensors").items()}
    mine = {name.removeprefix(prefix): weight for name, weight in found.items() if name.startswith(prefix)}
    mine.pop("embed_tokens.weight", None)
    missing, unexpected = module.load_state_dict(mine, strict=False)
    if unexpected or any("embed_tokens" not in name for name in missing):
        raise RuntimeError(f"{folder} has another architecture: missing {missing}, unexpected {unexpected}")


@torch.no_grad()
def translate_embeddings(table: nn.Embedding, tokenizer: Tokenizer, folder: Path) -> None:
    """Give each token the mean of the older tokens that spell it."""
    older = Tokenizer.from_file(str(folder / "tokenizer.json"))
    weights = load_file(folder / "model.safetensors")["model.embed_tokens.weight"].float()
    for token in range(tokenizer.get_vocab_size()):
        table.weight[token] = translated(token, tokenizer, older, weights)


def translated(token: int, tokenizer: Tokenizer, older: Tokenizer, weights: Tensor) -> Tensor:
    """The older embedding of one token's text."""
    name = str(tokenizer.id_to_token(token))
    known = older.token_to_id(name)
    if known is not None:
        return weights[known]
    text = tokenizer.decode([token], skip_special_tokens=False)
    pieces = older.encode(text).ids
    return weights[pieces].mean(0) if pieces else weights.mean(0)
