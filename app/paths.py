"""Where things live: the user's data and configuration folders, and the resources that come with the app."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

APP_NAME = "second-glance"
DATA_VARIABLE = "SECOND_GLANCE_DATA_DIR"
CONFIG_VARIABLE = "SECOND_GLANCE_CONFIG_DIR"


def data_dir() -> Path:
    """Return the folder of conversations, images and logs; the environment variable wins over the platform's folder."""
    return _folder(DATA_VARIABLE, platformdirs.user_data_path(APP_NAME, appauthor=False))


def config_dir() -> Path:
    """Return the folder of the settings file; the environment variable wins over the platform's folder."""
    return _folder(CONFIG_VARIABLE, platformdirs.user_config_path(APP_NAME, appauthor=False))


def settings_file() -> Path:
    """Return the settings file, which need not exist."""
    return config_dir() / "settings.toml"


def log_dir() -> Path:
    """Return the folder of log files, which need not exist."""
    return data_dir() / "logs"


def default_ssd_dir() -> Path:
    """Return the folder of the disk tier where the settings name none."""
    return data_dir() / "cache"


def resources_dir() -> Path:
    """Return the bundled resources: inside an installed wheel, else beside the package in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "_resources"
    return installed if installed.is_dir() else package.parent / "resources"


def demo_model_dir() -> Path:
    """Return the folder of the model behind the reference ``demo``."""
    return resources_dir() / "demo_model"


def samples_dir() -> Path:
    """Return the folder of pictures to try the demo model with."""
    return resources_dir() / "samples"


def private_folder(folder: Path) -> Path:
    """Create ``folder``, and those of its parents that are missing, readable by the user alone, and return it."""
    # `mkdir(parents=True)` would make the parents with the usual mode.
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(exist_ok=True, mode=0o700)
    return folder


def _folder(variable: str, default: Path) -> Path:
    override = os.environ.get(variable, "")
    return Path(override).expanduser().resolve() if override else default
