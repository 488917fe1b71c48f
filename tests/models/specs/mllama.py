"""Mllama: pictures enter through cross-attention layers and have a single token each in the prompt."""

from __future__ import annotations

from tests.models.spec import Id, Spec, Tokens
from tests.models.specs._common import RESCALE, decoder
from tests.models.templates import template

_TURN = r"'<|start_header_id|>' + message.role + '<|end_header_id|>\n\n'"

SPECS = (
    Spec(
        family="mllama",
        tokens=Tokens(
            specials=(
                *("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>"),
                *("<|eot_id|>", "<|python_tag|>", "<|pad|>", "<|image|>"),
            ),
            bos="<|begin_of_text|>",
            eos="<|eot_id|>",
            pad="<|pad|>",
        ),
        template=template(
            "<|image|>",
            opening="bos_token",
            turn=_TURN,
            closing="'<|eot_id|>'",
            generation=r"'<|start_header_id|>assistant<|end_header_id|>\n\n'",
        ),
        config={
            "model_type": "mllama",
            "image_token_index": Id("<|image|>"),
            # embeddings have 8 rows more than the head: the picture's token is the first of them and has no logit
            "vocab_size": Id("<|image|>"),
            "eos_token_id": [Id("<|eot_id|>")],
            "text_config": {
                **decoder("mllama_text_model", layers=4, rope_theta=5e5, cross_attention_layers=[1, 3]),
                "vocab_size": Id("<|image|>"),
            },
            "vision_config": {
                "model_type": "mllama_vision_model",
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 3,
                "num_attention_heads": 2,
                "num_global_layers": 1,
                "image_size": 56,
                "patch_size": 14,
                "max_num_tiles": 4,
                "vision_output_dim": 32 * 3,
                "intermediate_layers_indices": [0, 2],
                "supported_aspect_ratios": [[1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [3, 1], [4, 1]],
            },
        },
        preprocessor={
            "image_processor_type": "MllamaImageProcessor",
            "do_convert_rgb": True,
            "do_resize": True,
            "size": {"height": 56, "width": 56},
            "do_pad": True,
            "max_image_tiles": 4,
            "resample": 2,
            **RESCALE,
        },
        gates=0.7,
    ),
)
