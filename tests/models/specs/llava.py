"""LLaVA: CLIP on the centre square of a picture, one token per patch. LLaVA-NeXT: on an overview and on tiles."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Json, Spec, Tokens
from tests.models.specs._common import RESCALE, TOWER, decoder
from tests.models.templates import template

SIDE = 56
TOKENS = Tokens(
    specials=("<unk>", "<s>", "</s>", "<pad>", "<image>"),
    bos="<s>",
    eos="</s>",
    pad="<pad>",
)
TEMPLATE = template(
    r"<image>\n",
    turn="message.role.upper() + ': '",
    closing="' '",
    generation="'ASSISTANT:'",
)
PIXELS = {
    "do_resize": True,
    "size": {"shortest_edge": SIDE},
    "do_center_crop": True,
    "crop_size": {"height": SIDE, "width": SIDE},
    "do_convert_rgb": True,
    "resample": 3,
    **RESCALE,
}


def _config(model_type: str) -> Json:
    return {
        "model_type": model_type,
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
            "image_size": SIDE,
            "patch_size": 14,
            "projection_dim": 32,
        },
    }


def _processor(name: str) -> Json:
    return {
        "patch_size": 14,
        "vision_feature_select_strategy": "default",
        "image_token": "<image>",
        "num_additional_image_tokens": 1,
        "processor_class": name,
    }


SPECS = (
    Spec(
        family="llava",
        tokens=TOKENS,
        template=TEMPLATE,
        config=_config("llava"),
        preprocessor={"image_processor_type": "CLIPImageProcessor", **PIXELS},
        processor=_processor("LlavaProcessor"),
    ),
    Spec(
        family="llava_next",
        tokens=TOKENS,
        template=TEMPLATE,
        config=_config("llava_next"),
        preprocessor={
            "image_processor_type": "LlavaNextImageProcessor",
            "image_grid_pinpoints": [[SIDE, 2 * SIDE], [2 * SIDE, SIDE], [2 * SIDE, 2 * SIDE], [SIDE, 3 * SIDE]],
            **PIXELS,
        },
        processor=_processor("LlavaNextProcessor"),
    ),
)
