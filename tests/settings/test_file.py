from __future__ import annotations

import stat
from pathlib import Path

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DrawFn, booleans, composite, floats, integers, lists, sampled_from, text

from app.errors import UserError
from app.settings.declarations import VERSION, Settings
from app.settings.fields import FieldInfo, changed, for_app
from app.settings.file import load, save


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def write(path: Path, content: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")


def with_changes(**changes: object) -> Settings:
    result = Settings()
    for name, value in changes.items():
        section, key = name.split("__")
        result = changed(result, section, key, value)
    return result


def test_no_file_means_defaults_without_a_word(path: Path) -> None:
    loaded = load(path)
    assert loaded.settings == Settings()
    assert loaded.notices == ()
    assert not path.exists()


def test_only_what_differs_is_written_with_its_meaning(path: Path) -> None:
    save(path, with_changes(caches__prefix_mb=100, appearance__theme="dark"))
    content = path.read_text(encoding="utf-8")
    assert "prefix_mb = 100 # Memory for prompts: 0 to 1048576 MB, default 2048" in content
    assert 'theme = "dark"' in content
    assert "vision_mb" not in content
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_users_comments_and_unknown_entries_survive(path: Path) -> None:
    write(path, '# mine\n[caches]\n# why so small\nprefix_mb = 64 # because\ncolour = "blue"\n')
    save(path, with_changes(caches__prefix_mb=64, caches__vision_mb=128))
    content = path.read_text(encoding="utf-8")
    for kept in ("# mine", "# why so small", "prefix_mb = 64 # because", 'colour = "blue"', "vision_mb = 128"):
        assert kept in content


def test_going_back_to_the_default_takes_the_entry_out(path: Path) -> None:
    save(path, with_changes(caches__prefix_mb=64, caches__vision_mb=1))
    save(path, with_changes(caches__vision_mb=1))
    content = path.read_text(encoding="utf-8")
    assert "prefix_mb" not in content
    assert load(path).settings == with_changes(caches__vision_mb=1)


@pytest.mark.parametrize(
    ("entry", "notice"),
    [
        ("[caches]\nprefix_mb = -1", "Memory for prompts must be 0 to 1048576 MB, not -1. The default is used."),
        ('[caches]\nprefix_mb = "a lot"', "must be 0 to 1048576 MB, not 'a lot'"),
        ("[caches]\nprefix_mb = 1.5", "must be 0 to 1048576 MB, not 1.5"),
        ('[appearance]\ntheme = "drak"', "Theme must be system, light or dark, not 'drak'"),
        ("[caches]\nprefix_gb = 1", "There is no setting caches.prefix_gb; it is ignored."),
        ("[cashes]\nprefix_mb = 1", "There is no setting cashes.prefix_mb; it is ignored."),
        ("caches = 3", "There is no setting caches; it is ignored."),
        ("theme = 'dark'", "There is no setting theme; it is ignored."),
        ("[generation]\ntemperature = nan", "Temperature must be 0 to 2"),
    ],
)
def test_what_does_not_fit_is_replaced_by_its_default_with_a_notice(path: Path, entry: str, notice: str) -> None:
    write(
        path,
        f"[general]\ntrash_days = 7\n{entry}\n" if entry.startswith("[") else f"{entry}\n[general]\ntrash_days = 7",
    )
    loaded = load(path)
    assert len(loaded.notices) == 1
    assert notice in loaded.notices[0]
    assert loaded.settings == with_changes(general__trash_days=7), "the rest of the file counts"


@pytest.mark.parametrize("content", [b"[caches\n", b"\xff\xfe\x00", b"a = 1\na = 2\n"])
def test_a_file_that_is_no_toml_is_said_and_kept_aside_when_saving(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    loaded = load(path)
    assert loaded.settings == Settings()
    assert "is not valid TOML" in loaded.notices[0]
    save(path, with_changes(appearance__zoom=150))
    assert load(path).settings.appearance.zoom == 150
    assert path.with_suffix(".damaged.toml").read_bytes() == content


@pytest.mark.parametrize("table", ["caches = {vision_mb = 5}", "caches.vision_mb = 5", "[caches]\nvision_mb = 5"])
def test_every_way_to_write_a_table_can_be_read_and_changed(path: Path, table: str) -> None:
    write(path, table + "\n")
    assert load(path).settings == with_changes(caches__vision_mb=5)
    save(path, with_changes(caches__vision_mb=6, caches__prefix_mb=7, appearance__zoom=90))
    assert load(path).settings == with_changes(caches__vision_mb=6, caches__prefix_mb=7, appearance__zoom=90)


def test_older_files_are_brought_up_to_date_step_by_step(path: Path) -> None:
    def rename(document: tomlkit.TOMLDocument) -> None:
        document["caches"]["prefix_mb"] = document["caches"].pop("budget")

    def double(document: tomlkit.TOMLDocument) -> None:
        document["caches"]["prefix_mb"] *= 2

    write(path, "version = 1\n[caches]\nbudget = 50\n")
    loaded = load(path, version=3, migrations={1: rename, 2: double})
    assert loaded.notices == ()
    assert loaded.settings == with_changes(caches__prefix_mb=100)


def test_a_newer_file_is_used_as_far_as_it_is_understood(path: Path) -> None:
    write(path, f"version = {VERSION + 1}\n[caches]\nvision_mb = 5\n[future]\nx = 1\n")
    loaded = load(path)
    assert loaded.settings == with_changes(caches__vision_mb=5)
    assert "newer version" in loaded.notices[0]
    save(path, loaded.settings)
    assert f"version = {VERSION + 1}" in path.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("in the way")
    with pytest.raises(UserError, match="The settings could not be saved"):
        save(tmp_path / "config" / "settings.toml", with_changes(appearance__zoom=90))


def test_a_path_that_is_a_folder_is_a_notice(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert "cannot be read" in loaded.notices[0]


@composite
def any_settings(draw: DrawFn) -> Settings:
    result = Settings()
    for field in draw(lists(sampled_from(for_app()), max_size=8)):
        result = changed(result, field.section, field.key, draw(value_for(field)))
    return result


def value_for(field: FieldInfo):
    match field.type:
        case "bool":
            return booleans()
        case "int":
            return integers(int(field.minimum or 0), int(field.maximum or 0))
        case "float":
            return floats(field.minimum, field.maximum)
        case "choice":
            return sampled_from(field.choices)
        case "list":
            return lists(text(max_size=5), max_size=3)
        case _:
            return text(max_size=20)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=any_settings(), second=any_settings())
def test_whatever_is_saved_comes_back(path: Path, first: Settings, second: Settings) -> None:
    for wanted in (first, second):
        save(path, wanted)
        assert load(path).settings == wanted
        assert load(path).notices == ()
