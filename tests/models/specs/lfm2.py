"""LFM2-VL: short convolutions between attention layers; big pictures become tiles and a thumbnail."""

from __future__ import annotations

from tests.models.spec import Id, Json, Spec, Tokens
from tests.models.specs._common import RESCALE, TOWER, WIDTH, decoder
from tests.models.templates import chatml

TILE = 64
LAYERS = ["conv", "conv", "full_attention", "conv"]

HYBRID: dict[str, Json] = {
    **decoder("lfm2", layers=len(LAYERS), rope_theta=1e6, tie_word_embeddings=True),
    "block_dim": WIDTH,
    "block_ff_dim": 128,
    "block_multiple_of": 32,
    "block_ffn_dim_multiplier": 1.0,
    "block_auto_adjust_ff_dim": False,
    "conv_L_cache": 3,
    "conv_bias": False,
    "conv_dim": WIDTH,
    "conv_dim_out": WIDTH,
    "norm_eps": 1e-5,
    "layer_types": LAYERS,
    "eos_token_id": Id("<|im_end|>"),
}
_PIXELS = {
    "image_processor_type": "Lfm2VlImageProcessorFast",
    "downsample_factor": 2,
    "encoder_patch_size": 16,
    "min_image_tokens": 1,
    "max_image_tokens": 16,
    "tile_size": TILE,
    "max_pixels_tolerance": 2.0,
    "resample": 3,
    **RESCALE,
}

SPECS = (
    Spec(
        family="lfm2_vl",
        tokens=Tokens(
            specials=(
                *("<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"),
                *("<image>", "<|image_start|>", "<|image_end|>", "<|img_thumbnail|>"),
                *(f"<|img_row_{row}_col_{column}|>" for row in range(1, 11) for column in range(1, 11)),
            ),
            bos="<|startoftext|>",
            eos="<|im_end|>",
            pad="<|pad|>",
            named={
                "image_token": "<image>",
                "image_start_token": "<|image_start|>",
                "image_end_token": "<|image_end|>",
                "image_thumbnail": "<|img_thumbnail|>",
            },
        ),
        template=chatml("<image>"),
        config={
            "model_type": "lfm2_vl",
            "image_token_id": Id("<image>"),
            "eos_token_id": Id("<|im_end|>"),
            "downsample_factor": 2,
            "encoder_patch_size": 16,
            "projector_hidden_size": WIDTH,
            "projector_use_layernorm": True,
            "vision_feature_layer": -1,
            "text_config": HYBRID,
            "vision_config": {**TOWER, "model_type": "siglip2_vision_model", "patch_size": 16, "num_patches": 16},
        },
        preprocessor=_PIXELS,
        processor={"processor_class": "Lfm2VlProcessor", "image_processor": _PIXELS},
    ),
)
