"""FastVLM: the one family whose tower a checkpoint cannot make small.

mlx-vlm keeps the sizes of the FastViTHD tower (125 million parameters) in class attributes that ``config.json`` does
not reach. The only way to shrink it from inside a checkpoint is a Python file that the loader would execute, which ours
refuses. So the folder is small only while :func:`small_tower` is entered, for making it and for loading it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from tests.models.spec import Id, Json, Spec, Tokens
from tests.models.specs._common import RESCALE, WIDTH, decoder
from tests.models.templates import chatml

_SIZES: dict[str, Json] = {"layers": [1] * 5, "embed_dims": [8, 16, 16, 32, 32], "mlp_ratios": [1] * 5}
EDGE = 256


@contextmanager
def small_tower() -> Iterator[None]:
    """Give mlx-vlm's FastViTHD the sizes of the tiny checkpoint."""
    from mlx_vlm.models.fastvlm import VisionConfig

    with patch.multiple(VisionConfig, **_SIZES):
        yield


SPECS = (
    Spec(
        family="fastvlm",
        tokens=Tokens(specials=("<|endoftext|>", "<|im_start|>", "<|im_end|>"), eos="<|im_end|>", pad="<|endoftext|>"),
        template=chatml(r"<image>\n"),
        config={
            **decoder("llava_qwen2", rope_theta=1e6, tie_word_embeddings=True),
            # one id outside the vocabulary for a whole picture
            "image_token_index": -200,
            "eos_token_id": Id("<|im_end|>"),
            "mm_hidden_size": 64,
            "mm_projector_type": "mlp2x_gelu",
            "tokenizer_model_max_length": 8192,
            "vision_config": {
                "model_type": "llava_qwen2",
                "hidden_size": WIDTH,
                "image_size": EDGE,
                "patch_size": 64,
                "projection_dim": WIDTH,
            },
        },
        preprocessor={
            "image_processor_type": "CLIPImageProcessor",
            "do_resize": True,
            "size": {"shortest_edge": EDGE},
            "do_center_crop": True,
            "crop_size": {"height": EDGE, "width": EDGE},
            "do_convert_rgb": True,
            "resample": 3,
            **RESCALE,
        },
        around=small_tower,
    ),
)
