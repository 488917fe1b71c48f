"""Gemma 3 and Gemma 4: sliding windows so short that every test prompt runs out of them."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Json, Spec, Tokens
from tests.models.specs._common import RESCALE, TOWER, WIDTH, decoder
from tests.models.templates import gemma

WINDOW = 32
IMAGE_TOKENS = 16

_GEMMA3 = Spec(
    family="gemma3",
    tokens=Tokens(
        specials=(
            *("<pad>", "<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>"),
            *("<start_of_image>", "<end_of_image>", "<image_soft_token>"),
        ),
        bos="<bos>",
        eos="<eos>",
        pad="<pad>",
        named={"image_token": "<image_soft_token>", "boi_token": "<start_of_image>", "eoi_token": "<end_of_image>"},
    ),
    template=gemma("<start_of_image>", "<start_of_turn>", "<end_of_turn>"),
    config={
        "model_type": "gemma3",
        "vocab_size": VOCABULARY,
        "hidden_size": WIDTH,
        "mm_tokens_per_image": IMAGE_TOKENS,
        "image_token_index": Id("<image_soft_token>"),
        "boi_token_index": Id("<start_of_image>"),
        "eoi_token_index": Id("<end_of_image>"),
        "pad_token_id": Id("<pad>"),
        "eos_token_id": [Id("<eos>"), Id("<end_of_turn>")],
        "text_config": decoder(
            "gemma3_text",
            layers=4,
            query_pre_attn_scalar=16,
            sliding_window=WINDOW,
            sliding_window_pattern=2,
            mm_tokens_per_image=IMAGE_TOKENS,
        ),
        "vision_config": {**TOWER, "model_type": "siglip_vision_model", "patch_size": 14, "image_size": 112},
    },
    preprocessor={
        "image_processor_type": "Gemma3ImageProcessor",
        "processor_class": "Gemma3Processor",
        "do_resize": True,
        "size": {"height": 112, "width": 112},
        "resample": 2,
        "image_seq_length": IMAGE_TOKENS,
        "do_pan_and_scan": None,
        **RESCALE,
    },
    processor={"image_seq_length": IMAGE_TOKENS, "processor_class": "Gemma3Processor"},
    embedding=0.15,
)


def _gemma4(family: str, window: int, **attention: Json) -> Spec:
    """Per-layer inputs, two layers that share another's keys; ``attention`` may make image spans bidirectional."""
    pixels = {
        "image_processor_type": "Gemma4ImageProcessor",
        "patch_size": 8,
        "max_soft_tokens": IMAGE_TOKENS,
        "pooling_kernel_size": 3,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": False,
    }
    named = {
        **{"image_token": "<|image|>", "boi_token": "<|image>", "eoi_token": "<image|>", "video_token": "<|video|>"},
        **{"audio_token": "<|audio|>", "boa_token": "<|audio>", "eoa_token": "<audio|>"},
    }
    return Spec(
        family=family,
        tokens=Tokens(
            specials=("<pad>", "<eos>", "<bos>", "<|turn>", "<turn|>", *named.values()),
            bos="<bos>",
            eos="<eos>",
            pad="<pad>",
            named=named,
        ),
        template=gemma("<|image|>", "<|turn>", "<turn|>"),
        config={
            "model_type": "gemma4",
            "vocab_size": VOCABULARY,
            "hidden_size": WIDTH,
            **{f"{name}_id": Id(token) for name, token in named.items()},
            "eos_token_id": [Id("<eos>"), Id("<turn|>")],
            "pad_token_id": Id("<pad>"),
            "vision_soft_tokens_per_image": IMAGE_TOKENS,
            "audio_config": None,
            "text_config": {
                **decoder("gemma4_text", layers=6, num_key_value_heads=1, global_head_dim=32),
                "vocab_size_per_layer_input": VOCABULARY,
                "hidden_size_per_layer_input": 8,
                "num_kv_shared_layers": 2,
                "sliding_window": window,
                "sliding_window_pattern": 2,
                "layer_types": ["sliding_attention", "full_attention"] * 3,
                "use_double_wide_mlp": False,
                "final_logit_softcapping": 30.0,
                **attention,
            },
            "vision_config": {
                **TOWER,
                "model_type": "gemma4_vision",
                "num_key_value_heads": 2,
                "head_dim": 16,
                "global_head_dim": 16,
                "default_output_length": IMAGE_TOKENS,
                "patch_size": 8,
                "position_embedding_size": 64,
                "pooling_kernel_size": 3,
            },
        },
        preprocessor=pixels,
        processor={
            "processor_class": "Gemma4Processor",
            "image_seq_length": IMAGE_TOKENS,
            "image_processor": pixels,
            "video_processor": {"patch_size": 8, "max_soft_tokens": 70, "pooling_kernel_size": 3},
            # fewer mel filters than usual: the default of 128 makes the library warn that some are empty
            "feature_extractor": {"feature_size": 16},
        },
        embedding=0.15,
    )


SPECS = (
    _GEMMA3,
    _gemma4("gemma4", WINDOW),
    _gemma4("gemma4_bidirectional", 2 * WINDOW, use_bidirectional_attention="vision"),
)
