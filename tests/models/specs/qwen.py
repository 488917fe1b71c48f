"""Qwen2-VL, Qwen2.5-VL and Qwen3-VL: three-dimensional positions; the last one feeds tower layers into the decoder."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Json, Spec, Tokens
from tests.models.specs._common import HALF, TOWER, WIDTH, decoder
from tests.models.templates import chatml

_TOKENS = Tokens(
    specials=(
        *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
        *("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
    ),
    eos="<|im_end|>",
    pad="<|endoftext|>",
)
_IDS = {
    "image_token_id": Id("<|image_pad|>"),
    "video_token_id": Id("<|video_pad|>"),
    "vision_start_token_id": Id("<|vision_start|>"),
    "vision_end_token_id": Id("<|vision_end|>"),
    "eos_token_id": [Id("<|im_end|>")],
}
_TEMPLATE = chatml("<|vision_start|><|image_pad|><|vision_end|>")
_PATCHES = {"patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2, "in_channels": 3}
_PIXELS = {
    "image_processor_type": "Qwen2VLImageProcessor",
    "patch_size": 14,
    "temporal_patch_size": 2,
    "merge_size": 2,
    "min_pixels": 28 * 28,
    "max_pixels": 112 * 112,
    "image_mean": HALF,
    "image_std": HALF,
}


def _qwen2(family: str, tower: Json) -> Spec:
    mrope = {"type": "mrope", "mrope_section": [2, 3, 3]}
    return Spec(
        family=family,
        tokens=_TOKENS,
        template=_TEMPLATE,
        config={
            **decoder(family, rope_theta=1e6, rope_scaling=mrope, tie_word_embeddings=False),
            **_IDS,
            "vision_token_id": Id("<|vision_pad|>"),
            "vision_config": {
                "model_type": family,
                "depth": 2,
                "num_heads": 2,
                "spatial_patch_size": 14,
                **_PATCHES,
                **tower,
            },
        },
        preprocessor=_PIXELS,
    )


SPECS = (
    _qwen2("qwen2_vl", {"embed_dim": 32, "hidden_size": WIDTH}),
    _qwen2(
        "qwen2_5_vl",
        {
            "hidden_size": 32,
            "out_hidden_size": WIDTH,
            "intermediate_size": 64,
            "window_size": 56,
            "fullatt_block_indexes": [1],
        },
    ),
    Spec(
        family="qwen3_vl",
        tokens=_TOKENS,
        template=_TEMPLATE,
        config={
            "model_type": "qwen3_vl",
            "vocab_size": VOCABULARY,
            "tie_word_embeddings": False,
            **_IDS,
            "text_config": decoder(
                "qwen3_vl_text",
                layers=4,
                rope_theta=5e6,
                tie_word_embeddings=False,
                rope_scaling={"rope_type": "default", "mrope_section": [4, 2, 2], "mrope_interleaved": True},
            ),
            "vision_config": {
                **TOWER,
                "model_type": "qwen3_vl",
                "depth": 3,
                "num_heads": 2,
                "out_hidden_size": WIDTH,
                "patch_size": 16,
                "spatial_merge_size": 2,
                "temporal_patch_size": 2,
                "in_channels": 3,
                "num_position_embeddings": 64,
                "deepstack_visual_indexes": [0, 1],
            },
        },
        preprocessor={
            "image_processor_type": "Qwen2VLImageProcessorFast",
            "patch_size": 16,
            "temporal_patch_size": 2,
            "merge_size": 2,
            "size": {"shortest_edge": 32 * 32, "longest_edge": 128 * 128},
            "image_mean": HALF,
            "image_std": HALF,
        },
    ),
)
