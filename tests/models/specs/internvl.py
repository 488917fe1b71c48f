"""InternVL, original and converted: up to six tiles in the picture's own proportions, and a thumbnail."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Spec, Tokens
from tests.models.specs._common import TOWER, decoder
from tests.models.templates import chatml

TILE = 56
TOKENS = Tokens(
    specials=(
        *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
        *("<img>", "</img>", "<IMG_CONTEXT>", "<video_ctx>"),
    ),
    eos="<|im_end|>",
    pad="<|endoftext|>",
)
CUTTING = {
    "eos_token_id": [Id("<|im_end|>")],
    "downsample_ratio": 0.5,
    "min_dynamic_patch": 1,
    "max_dynamic_patch": 6,
    "use_thumbnail": True,
}

SPECS = (
    Spec(
        family="internvl_chat",
        tokens=TOKENS,
        template=chatml(r"<image>\n"),
        config={
            "model_type": "internvl_chat",
            "vocab_size": VOCABULARY,
            "image_token_index": Id("<IMG_CONTEXT>"),
            "video_token_index": Id("<video_ctx>"),
            **CUTTING,
            "force_image_size": TILE,
            "llm_config": decoder("qwen2", rope_theta=1e6),
            "vision_config": {**TOWER, "model_type": "intern_vit_6b", "patch_size": 14, "image_size": TILE},
        },
    ),
    Spec(
        family="internvl",
        tokens=TOKENS,
        template=chatml(r"<IMG_CONTEXT>\n"),
        config={
            "model_type": "internvl",
            "image_token_id": Id("<IMG_CONTEXT>"),
            **CUTTING,
            "text_config": decoder("qwen3", rope_theta=1e6, tie_word_embeddings=False),
            "vision_config": {
                **TOWER,
                "model_type": "internvl_vision",
                "patch_size": [14, 14],
                "image_size": [TILE, TILE],
                "use_qk_norm": True,
            },
        },
        processor={"image_seq_length": 4, "processor_class": "InternVLProcessor"},
    ),
)
