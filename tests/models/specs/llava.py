"""LLaVA: CLIP on the centre square of a picture, one token per patch."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Spec, Tokens
from tests.models.specs._common import RESCALE, TOWER, decoder
from tests.models.templates import template

SPECS = (
    Spec(
        family="llava",
        tokens=Tokens(
            specials=("<unk>", "<s>", "</s>", "<pad>", "<image>"),
            bos="<s>",
            eos="</s>",
            pad="<pad>",
        ),
        template=template(
            r"<image>\n",
            turn="message.role.upper() + ': '",
            closing="' '",
            generation="'ASSISTANT:'",
        ),
        config={
            "model_type": "llava",
            "vocab_size": VOCABULARY,
            "image_token_index": Id("<image>"),
            "eos_token_id": [Id("</s>")],
            "vision_feature_layer": -2,
            "vision_feature_select_strategy": "default",
            "text_config": decoder("llama", rope_theta=1e4),
            "vision_config": {
                **TOWER,
                "model_type": "clip_vision_model",
                "num_hidden_layers": 3,
                "image_size": 56,
                "patch_size": 14,
                "projection_dim": 32,
            },
        },
        preprocessor={
            "image_processor_type": "CLIPImageProcessor",
            "do_resize": True,
            "size": {"shortest_edge": 56},
            "do_center_crop": True,
            "crop_size": {"height": 56, "width": 56},
            "do_convert_rgb": True,
            "resample": 3,
            **RESCALE,
        },
        processor={
            "patch_size": 14,
            "vision_feature_select_strategy": "default",
            "image_token": "<image>",
            "num_additional_image_tokens": 1,
            "processor_class": "LlavaProcessor",
        },
    ),
)
