"""PaliGemma: the whole prompt attends to itself in both directions, and holds one picture."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Spec, Tokens
from tests.models.specs._common import RESCALE, TOWER, WIDTH, decoder
from tests.models.templates import template

IMAGE_TOKENS = 16
# the processor adds 1,024 location and 128 segmentation tokens to the tokenizer when it is opened
_ROWS = VOCABULARY + 1024 + 128

SPECS = (
    Spec(
        family="paligemma",
        tokens=Tokens(
            specials=("<pad>", "<eos>", "<bos>", "<image>"),
            bos="<bos>",
            eos="<eos>",
            pad="<pad>",
            named={"image_token": "<image>"},
        ),
        # the processor puts the picture and the begin token in front by itself
        template=template("", turn="''", closing=r"'\n'", generation="''"),
        config={
            "model_type": "paligemma",
            "vocab_size": _ROWS,
            "hidden_size": WIDTH,
            "projection_dim": WIDTH,
            "image_token_index": Id("<image>"),
            "pad_token_id": Id("<pad>"),
            "eos_token_id": [Id("<eos>")],
            "text_config": {
                **decoder("gemma", num_key_value_heads=1, num_image_tokens=IMAGE_TOKENS),
                "vocab_size": _ROWS,
            },
            "vision_config": {
                **TOWER,
                "model_type": "siglip_vision_model",
                "patch_size": 14,
                "image_size": 56,
                "projection_dim": WIDTH,
            },
        },
        preprocessor={
            "image_processor_type": "SiglipImageProcessor",
            "processor_class": "PaliGemmaProcessor",
            "image_seq_length": IMAGE_TOKENS,
            "do_resize": True,
            "size": {"height": 56, "width": 56},
            "resample": 3,
            **RESCALE,
        },
        embedding=0.15,
    ),
)
