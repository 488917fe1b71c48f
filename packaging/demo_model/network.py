"""Qwen2-VL in PyTorch, cut down to what training needs.

Names of the weights are those of the published checkpoints, so the state dictionary is the checkpoint. Pictures of one
batch share a grid, which lets the tower attend with one dense product per batch instead of one per picture. Pictures
stand still: the two frames of a patch are equal, so their two kernels are applied as one.
Source of the architecture: Wang et al. 2024, "Qwen2-VL", and the configuration keys of its checkpoints.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

PATCH = 14


@dataclass(frozen=True, slots=True)
class Shapes:
    """Sizes of the network; the defaults give about 2.5 million parameters."""

    vocabulary: int
    vision_width: int = 128
    vision_depth: int = 4
    vision_heads: int = 4
    vision_ratio: int = 3
    width: int = 192
    depth: int = 4
    heads: int = 3
    kv_heads: int = 1
    inner: int = 512
    sections: tuple[int, int, int] = (8, 12, 12)
    theta: float = 10000.0
    epsilon: float = 1e-5

    @property
    def head_width(self) -> int:
        """Width of one attention head of the language model."""
        return self.width // self.heads


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary embedding of ``x`` (..., length, d) by tables (..., length, d); halves are rotated against each other."""
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


def patch_positions(rows: int, columns: int) -> Tensor:
    """Row and column of each patch, (4 * rows * columns, 2), in the order of the processor: 2 by 2 blocks together."""
    grid = torch.stack(torch.meshgrid(torch.arange(2 * rows), torch.arange(2 * columns), indexing="ij"), -1)
    return grid.view(rows, 2, columns, 2, 2).transpose(1, 2).reshape(-1, 2)


def patchify(pixels: Tensor) -> Tensor:
    """Normalised pixels (batch, 3, height, width) to patches (batch, patches, 3 * 14 * 14) in processor order."""
    batch, _, height, width = pixels.shape
    blocks = pixels.view(batch, 3, height // 28, 2, PATCH, width // 28, 2, PATCH)
    return blocks.permute(0, 2, 5, 3, 6, 1, 4, 7).reshape(batch, -1, 3 * PATCH * PATCH)


class PatchEmbed(nn.Module):
    """Linear map of a patch."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.proj = nn.Conv3d(3, width, (2, PATCH, PATCH), (2, PATCH, PATCH), bias=False)

    def forward(self, patches: Tensor) -> Tensor:
        """(batch, patches, 588) to (batch, patches, width)."""
        return functional.linear(patches, self.proj.weight.sum(2).flatten(1))


class VisionAttention(nn.Module):
    """Full attention among the patches of one picture."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """(batch, patches, width) to the same."""
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v)
        return self.proj(mixed.transpose(1, 2).reshape(batch, length, width))


class VisionMlp(nn.Module):
    """Two layers with the quick form of GELU."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(width, inner)
        self.fc2 = nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """Any leading shape."""
        x = self.fc1(x)
        return self.fc2(x * torch.sigmoid(1.702 * x))


class VisionBlock(nn.Module):
    """Pre-norm attention and MLP."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        width = shapes.vision_width
        self.norm1 = nn.LayerNorm(width, eps=1e-6)
        self.norm2 = nn.LayerNorm(width, eps=1e-6)
        self.attn = VisionAttention(width, shapes.vision_heads)
        self.mlp = VisionMlp(width, width * shapes.vision_ratio)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """(batch, patches, width) to the same."""
        x = x + self.attn(self.norm1(x), cos, sin)
        return x + self.mlp(self.norm2(x))


class Merger(nn.Module):
    """Four neighbouring patches become one token."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        inner = 4 * shapes.vision_width
        self.ln_q = nn.LayerNorm(shapes.vision_width, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(inner, inner), nn.GELU(), nn.Linear(inner, shapes.width))

    def forward(self, x: Tensor) -> Tensor:
        """(batch, 4 * tokens, vision width) to (batch, tokens, width)."""
        x = self.ln_q(x)
        return self.mlp(x.reshape(x.shape[0], x.shape[1] // 4, -1))


class VisionTower(nn.Module):
    """Patches of pictures that share a grid to image tokens."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.half_head = shapes.vision_width // shapes.vision_heads // 2
        self.patch_embed = PatchEmbed(shapes.vision_width)
        self.blocks = nn.ModuleList(VisionBlock(shapes) for _ in range(shapes.vision_depth))
        self.merger = Merger(shapes)

    def tables(self, rows: int, columns: int) -> tuple[Tensor, Tensor]:
        """Cosine and sine of the patches' rotary angles, each (patches, head width)."""
        rates = 10000.0 ** -(torch.arange(0, self.half_head, 2) / self.half_head)
        angles = (patch_positions(rows, columns)[:, :, None] * rates).flatten(1)
        angles = torch.cat((angles, angles), -1)
        return angles.cos(), angles.sin()

    def forward(self, patches: Tensor, rows: int, columns: int) -> Tensor:
        """(batch, 4 * rows * columns, 588) to (batch, rows * columns, width)."""
        cos, sin = self.tables(rows, columns)
        x = self.patch_embed(patches)
        for block in self.blocks:
            x = block(x, cos, sin)
        return self.merger(x)


class Attention(nn.Module):
    """Causal grouped-query attention."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.head_width = shapes.head_width
        self.q_proj = nn.Linear(shapes.width, shapes.heads * self.head_width)
        self.k_proj = nn.Linear(shapes.width, shapes.kv_heads * self.head_width)
        self.v_proj = nn.Linear(shapes.width, shapes.kv_heads * self.head_width)
        self.o_proj = nn.Linear(shapes.heads * self.head_width, shapes.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """(batch, length, width) to the same; tables are (batch, 1, length, head width)."""
        batch, length, _ = x.shape
        q, k, v = (
            layer(x).view(batch, length, -1, self.head_width).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        k, v = (y.expand(-1, q.shape[1], -1, -1) if y.shape[1] == 1 else y for y in (rotate(k, cos, sin), v))
        mixed = functional.scaled_dot_product_attention(rotate(q, cos, sin), k, v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, length, -1))


class Mlp(nn.Module):
    """Gated MLP with SiLU."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shapes.width, shapes.inner, bias=False)
        self.up_proj = nn.Linear(shapes.width, shapes.inner, bias=False)
        self.down_proj = nn.Linear(shapes.inner, shapes.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Any leading shape."""
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """Pre-norm attention and MLP."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(shapes.width, eps=shapes.epsilon)
        self.post_attention_layernorm = nn.RMSNorm(shapes.width, eps=shapes.epsilon)
        self.self_attn = Attention(shapes)
        self.mlp = Mlp(shapes)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """(batch, length, width) to the same."""
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class LanguageModel(nn.Module):
    """Embeddings to logits, with the input embedding as output layer."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.shapes = shapes
        self.embed_tokens = nn.Embedding(shapes.vocabulary, shapes.width)
        self.layers = nn.ModuleList(Layer(shapes) for _ in range(shapes.depth))
        self.norm = nn.RMSNorm(shapes.width, eps=shapes.epsilon)

    def tables(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Cosine and sine of M-RoPE, each (batch, 1, length, head width), of positions (3, batch, length)."""
        half = self.shapes.head_width // 2
        rates = self.shapes.theta ** -(torch.arange(half) / half)
        angles = positions[..., None] * rates
        parts = angles.split(self.shapes.sections, -1)
        mixed = torch.cat([part[axis] for axis, part in enumerate(parts)], -1)
        mixed = torch.cat((mixed, mixed), -1)[:, None]
        return mixed.cos(), mixed.sin()

    def forward(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """(batch, length, width) to hidden states of the same shape, after the last norm."""
        cos, sin = self.tables(positions)
        for layer in self.layers:
            embeddings = layer(embeddings, cos, sin)
        return self.norm(embeddings)

    def logits(self, hidden: Tensor) -> Tensor:
        """(..., width) to (..., vocabulary)."""
        return functional.linear(hidden, self.embed_tokens.weight)


class Qwen2VL(nn.Module):
    """Tower and language model under the names of the published checkpoints."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.visual = VisionTower(shapes)
        self.model = LanguageModel(shapes)
        self.apply(initialise)


def initialise(module: nn.Module) -> None:
    """Small normal weights and no bias."""
    if isinstance(module, nn.Linear | nn.Embedding | nn.Conv3d):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
