"""Settings that a single model has of its own, and their tables in the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.settings.declarations import Settings
from app.settings.fields import BadSetting, FieldInfo, changed, describe, for_app, for_models
from app.settings.file import load, save, save_model
from app.settings.per_model import applied, with_own

FIELDS = {field.name: field for field in for_models()}
TEMPERATURE: FieldInfo = FIELDS["generation.temperature"]
OWN: dict[str, Any] = {"model.image_side": 800, "generation.temperature": 0.2, "generation.stop": ("a", "b")}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_what_the_issue_names_can_be_set_for_a_model() -> None:
    named = {
        "generation.temperature", "generation.top_p", "generation.max_tokens", "generation.system_prompt",
        "model.context_limit", "model.image_side", "model.adapter", "caches.kv_quantize", "caches.kv_bits",
    }  # fmt: skip
    assert named <= set(FIELDS)
    assert {field.name for field in describe()} == {field.name for field in for_app()} | {"model.adapter"}


def test_a_model_s_own_go_before_those_of_all_models() -> None:
    general = changed(Settings(), "generation", "max_tokens", 50)
    in_force = applied(general, OWN)
    assert (in_force.generation.temperature, in_force.generation.stop) == (0.2, ("a", "b"))
    assert (in_force.generation.max_tokens, in_force.model.image_side) == (50, 800)
    assert applied(general, {}) == general


def test_only_what_differs_is_kept_and_what_does_not_fit_is_refused() -> None:
    own = with_own(Settings(), {}, TEMPERATURE, 1)
    assert own == {"generation.temperature": 1.0}
    assert with_own(Settings(), {**own, "model.image_side": 5}, TEMPERATURE, 0.7) == {"model.image_side": 5}
    with pytest.raises(BadSetting, match="Temperature must be 0 to 2, not 3"):
        with_own(Settings(), own, TEMPERATURE, 3.0)


def test_a_model_has_a_readable_table_and_leaves_the_rest_alone(path: Path) -> None:
    save(path, changed(Settings(), "caches", "vision_mb", 3))
    save_model(path, "owner/model", OWN)
    save_model(path, "/a folder/x", {"caches.kv_bits": 4})
    content = path.read_text(encoding="utf-8")
    assert '[models."owner/model".generation]\ntemperature = 0.2 # Temperature: 0 to 2, default 0.7' in content
    assert "vision_mb = 3" in content
    loaded = load(path)
    assert loaded.notices == ()
    assert loaded.models == {"owner/model": OWN, "/a folder/x": {"caches.kv_bits": 4}}
    save(path, changed(Settings(), "caches", "vision_mb", 4))
    assert load(path).models == loaded.models


def test_comments_survive_and_nothing_is_left_of_what_was_taken_back(path: Path) -> None:
    path.write_text("# mine\n[models.demo.generation]\ntemperature = 0.1 # cool\nmax_tokens = 9\n", encoding="utf-8")
    save_model(path, "demo", {"generation.temperature": 0.1})
    assert "temperature = 0.1 # cool" in path.read_text(encoding="utf-8")
    assert "max_tokens" not in path.read_text(encoding="utf-8")
    save_model(path, "demo", {})
    content = path.read_text(encoding="utf-8")
    assert "# mine" in content
    assert "models" not in content
    assert "generation" not in content


@pytest.mark.parametrize(
    ("entry", "notice"),
    [
        (
            "[models.demo.generation]\ntemperature = 9",
            "For demo: Temperature must be 0 to 2, not 9. The setting for all",
        ),
        ("[models.demo.generation]\nheat = 9", "For demo: there is no setting generation.heat; it is ignored."),
        ("[models.demo.caches]\nprefix_mb = 9", "caches.prefix_mb cannot be set for demo alone; it is ignored."),
        ("[models.demo]\ngeneration = 9", "For demo: there is no setting generation; it is ignored."),
        ("[models]\ndemo = 9", "For demo: there is no setting 9; it is ignored."),
        ("models = 9", "For models: there is no setting 9; it is ignored."),
        ("[model]\nadapter = '/x'", "There is no setting model.adapter; it is ignored."),
    ],
)
def test_what_cannot_be_used_is_said_and_ignored(path: Path, entry: str, notice: str) -> None:
    path.write_text(entry + "\n[models.other.generation]\nmax_tokens = 7\n" if "[models" in entry else entry)
    loaded = load(path)
    assert len(loaded.notices) == 1
    assert notice in loaded.notices[0]
    assert loaded.settings == Settings()
    assert loaded.models == ({"other": {"generation.max_tokens": 7}} if "[models" in entry else {})
    save_model(path, "third", {"generation.max_tokens": 8})
    assert load(path).models["third"] == {"generation.max_tokens": 8}
