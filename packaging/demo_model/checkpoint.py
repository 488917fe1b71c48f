"""The trained network as an ordinary Hugging Face folder, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from demo_model.layout import MAX_PIXELS, MIN_PIXELS
from demo_model.network import PATCH, Qwen2VL, Shapes
from demo_model.pictures import DEVIATION, MEAN
from demo_model.tokens import CHAT_TEMPLATE, END, END_OF_TEXT, IMAGE, SPECIALS, VIDEO, VISION_END, VISION_START

LONGEST = 8192


def save(network: Qwen2VL, tokenizer: Tokenizer, folder: Path) -> None:
    """Write weights in float16, configuration, tokenizer, chat template and processor settings."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.to(torch.float16).contiguous() for name, value in network.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "chat_template.jinja").write_text(CHAT_TEMPLATE, encoding="utf-8")
    write_json(folder / "config.json", config_of(network.model.shapes, tokenizer))
    write_json(folder / "preprocessor_config.json", processor_config())
    write_json(folder / "tokenizer_config.json", tokenizer_config())
    end = [tokenizer.token_to_id(END), tokenizer.token_to_id(END_OF_TEXT)]
    write_json(folder / "generation_config.json", {"do_sample": False, "eos_token_id": end, "pad_token_id": end[1]})


def load(folder: Path) -> tuple[Qwen2VL, Tokenizer]:
    """The network in float32, and its tokenizer."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    network = Qwen2VL(shapes_of(config))
    network.load_state_dict({name: value.float() for name, value in load_file(folder / "model.safetensors").items()})
    return network, Tokenizer.from_file(str(folder / "tokenizer.json"))


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Readable JSON with a newline at the end."""
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def config_of(shapes: Shapes, tokenizer: Tokenizer) -> dict[str, Any]:
    """``config.json`` with the flat keys of the first Qwen2-VL checkpoints."""
    return {
        "architectures": ["Qwen2VLForConditionalGeneration"],
        "model_type": "qwen2_vl",
        "dtype": "float16",
        "vocab_size": shapes.vocabulary,
        "hidden_size": shapes.width,
        "intermediate_size": shapes.inner,
        "num_hidden_layers": shapes.depth,
        "num_attention_heads": shapes.heads,
        "num_key_value_heads": shapes.kv_heads,
        "hidden_act": "silu",
        "rms_norm_eps": shapes.epsilon,
        "max_position_embeddings": LONGEST,
        "rope_theta": shapes.theta,
        "rope_scaling": {"type": "mrope", "mrope_section": list(shapes.sections)},
        "tie_word_embeddings": True,
        "bos_token_id": tokenizer.token_to_id(END_OF_TEXT),
        "eos_token_id": [tokenizer.token_to_id(END), tokenizer.token_to_id(END_OF_TEXT)],
        "pad_token_id": tokenizer.token_to_id(END_OF_TEXT),
        "image_token_id": tokenizer.token_to_id(IMAGE),
        "video_token_id": tokenizer.token_to_id(VIDEO),
        "vision_start_token_id": tokenizer.token_to_id(VISION_START),
        "vision_end_token_id": tokenizer.token_to_id(VISION_END),
        "vision_config": {
            "model_type": "qwen2_vl",
            "depth": shapes.vision_depth,
            "embed_dim": shapes.vision_width,
            "hidden_size": shapes.width,
            "num_heads": shapes.vision_heads,
            "mlp_ratio": shapes.vision_ratio,
            "patch_size": PATCH,
            "spatial_patch_size": PATCH,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "in_channels": 3,
        },
    }


def shapes_of(config: dict[str, Any]) -> Shapes:
    """The sizes that :func:`config_of` wrote."""
    vision = config["vision_config"]
    return Shapes(
        vocabulary=config["vocab_size"],
        vision_width=vision["embed_dim"],
        vision_depth=vision["depth"],
        vision_heads=vision["num_heads"],
        vision_ratio=vision["mlp_ratio"],
        width=config["hidden_size"],
        depth=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        kv_heads=config["num_key_value_heads"],
        inner=config["intermediate_size"],
        sections=tuple(config["rope_scaling"]["mrope_section"]),
        theta=config["rope_theta"],
        epsilon=config["rms_norm_eps"],
    )


def processor_config() -> dict[str, Any]:
    """``preprocessor_config.json``: every picture becomes 30 to 40 tokens."""
    return {
        "image_processor_type": "Qwen2VLImageProcessor",
        "processor_class": "Qwen2VLProcessor",
        "min_pixels": MIN_PIXELS,
        "max_pixels": MAX_PIXELS,
        "patch_size": PATCH,
        "temporal_patch_size": 2,
        "merge_size": 2,
        "image_mean": list(MEAN),
        "image_std": list(DEVIATION),
    }


def tokenizer_config() -> dict[str, Any]:
    """``tokenizer_config.json``."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": END,
        "pad_token": END_OF_TEXT,
        "additional_special_tokens": list(SPECIALS[1:]),
        "model_max_length": LONGEST,
        "clean_up_tokenization_spaces": False,
    }
