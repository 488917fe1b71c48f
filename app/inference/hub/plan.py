"""What will be fetched of a repository: names, sizes and digests, as the hub states them at one commit."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any

from huggingface_hub import HfApi

from app.inference.hub.failures import DownloadFailed

WANTED = (
    "*.safetensors",
    "*.json",
    "*.jinja",
    "merges.txt",
    "vocab.txt",
    "tokenizer.model",
    "spiece.model",
    "*.tiktoken",
    "tiktoken.model",
)
"""Weights, tokenizer, configuration, chat template and processor; nothing that could run code."""
UNWANTED = ("consolidated*.safetensors", "training_args*", "trainer_state*", "optimizer*")
PICKLED = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
API_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file.

    Attributes:
        name: in the repository; always at its top.
        size: bytes.
        digest: hex SHA-256 of the content, or, where ``git`` says so, git's own SHA-1 of it; names the file in the
            hub library's cache.
        git: whether the digest is git's.
    """

    name: str
    size: int
    digest: str
    git: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What to fetch; small files first, so that a model that cannot be used is known before its weights are fetched.

    Attributes:
        repository: ``owner/model``.
        revision: branch or tag it was asked for.
        commit: the commit that all files belong to.
        licence: as the model card states it; empty where it does not.
        files: see :class:`PlannedFile`.
    """

    repository: str
    revision: str
    commit: str
    licence: str
    files: tuple[PlannedFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    def to_json(self) -> str:
        """Return the plan as text, for :meth:`from_json`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Return the plan that ``text`` holds.

        Raises:
            ValueError: it holds none.
        """
        try:
            fields = json.loads(text)
            return cls(**{**fields, "files": tuple(PlannedFile(**file) for file in fields["files"])})
        except (TypeError, KeyError) as error:
            raise ValueError("not a plan") from error


def make_plan(repository: str, revision: str = "main", endpoint: str | None = None) -> Plan:
    """Ask the hub what there is, and choose what is needed.

    Args:
        repository: ``owner/model``.
        revision: branch, tag or commit.
        endpoint: address of the hub; ``None`` for the library's own.

    Raises:
        DownloadFailed: there is nothing that could be opened here.
        Exception: of the hub library, for :func:`app.inference.hub.failures.in_words`.
    """
    api = HfApi(endpoint=endpoint)
    info = api.model_info(repository, revision=revision, files_metadata=True, timeout=API_SECONDS)
    names = [sibling.rfilename for sibling in info.siblings or ()]
    files = [_planned(sibling) for sibling in info.siblings or () if wanted(sibling.rfilename)]
    _check(repository, names, files)
    card = info.card_data
    return Plan(
        repository=repository,
        revision=revision,
        commit=str(info.sha),
        licence=str(getattr(card, "license_name", None) or getattr(card, "license", None) or ""),
        files=tuple(sorted(files, key=lambda file: (file.name.endswith(".safetensors"), file.size, file.name))),
    )


def wanted(name: str) -> bool:
    """Whether a file of this name is fetched; files in sub-folders are not."""
    return (
        "/" not in name
        and "\\" not in name
        and not name.startswith(".")
        and any(fnmatchcase(name, pattern) for pattern in WANTED)
        and not any(fnmatchcase(name, pattern) for pattern in UNWANTED)
    )


def _planned(sibling: Any) -> PlannedFile:
    if sibling.lfs is not None:
        return PlannedFile(sibling.rfilename, int(sibling.lfs.size), str(sibling.lfs.sha256))
    return PlannedFile(sibling.rfilename, int(sibling.size or 0), str(sibling.blob_id), git=True)


def _check(repository: str, names: list[str], files: list[PlannedFile]) -> None:
    if not any(file.name == "config.json" for file in files):
        raise DownloadFailed(f"{repository} is not a model that can be opened here: it has no config.json.", repository)
    if any(file.name.endswith(".safetensors") for file in files):
        return
    if any(fnmatchcase(name, pattern) for name in names for pattern in PICKLED):
        raise DownloadFailed(
            f"{repository} has pickled weights only; they can run code and are never fetched.", repository
        )
    raise DownloadFailed(f"{repository} has no weights in the safetensors format.", repository)
