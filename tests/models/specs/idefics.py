"""SmolVLM and Idefics3: a picture becomes up to 3×3 tiles of 4 tokens and an overview tile."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Id, Spec, Tokens
from tests.models.specs._common import RESCALE, TOWER, decoder
from tests.models.templates import template

TILE = 64
LONGEST_EDGE = 3 * TILE
TILE_TOKENS = 4


def _idefics(family: str, tower: str, image_processor: str, processor: str) -> Spec:
    return Spec(
        family=family,
        tokens=Tokens(
            specials=(
                *("<|endoftext|>", "<|im_start|>", "<end_of_utterance>"),
                *("<fake_token_around_image>", "<image>", "<global-img>", "<video>"),
                *(f"<row_{row}_col_{column}>" for row in range(1, 4) for column in range(1, 4)),
            ),
            bos="<|im_start|>",
            eos="<end_of_utterance>",
            pad="<|endoftext|>",
        ),
        template=template(
            "<image>",
            opening="'<|im_start|>'",
            turn="message.role.capitalize() + ': '",
            closing=r"'<end_of_utterance>\n'",
            generation="'Assistant:'",
        ),
        config={
            "model_type": family,
            "vocab_size": VOCABULARY,
            "image_token_id": Id("<image>"),
            "eos_token_id": [Id("<end_of_utterance>")],
            "scale_factor": 2,
            "tie_word_embeddings": False,
            "text_config": decoder("llama", rope_theta=1e5),
            "vision_config": {**TOWER, "model_type": tower, "patch_size": 16, "image_size": TILE},
        },
        preprocessor={
            "image_processor_type": image_processor,
            "do_convert_rgb": True,
            "do_resize": True,
            "size": {"longest_edge": LONGEST_EDGE},
            "resample": 1,
            "do_image_splitting": True,
            "max_image_size": {"longest_edge": TILE},
            "do_pad": True,
            **RESCALE,
        },
        processor={"image_seq_len": TILE_TOKENS, "processor_class": processor},
    )


SPECS = (
    _idefics("smolvlm", "smolvlm_vision", "SmolVLMImageProcessor", "SmolVLMProcessor"),
    _idefics("idefics3", "idefics3", "Idefics3ImageProcessor", "Idefics3Processor"),
)
