"""Whatever can go wrong between here and the hub, as one sentence that the user can act on."""

from __future__ import annotations

import errno

from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.errors import HTTPError as NetworkError

from app.errors import UserError

TOO_MANY = 429
SERVER_FAULT = 500
UNAUTHORIZED = 401
FORBIDDEN = 403


class DownloadFailed(UserError):
    """A model could not be fetched; ``subject`` is the repository. What was fetched so far is kept."""


def in_words(error: Exception, repository: str) -> DownloadFailed:
    """Return the failure that ``error`` means for the user.

    Raises:
        Exception: ``error`` itself, where it is a fault of ours.
    """
    if isinstance(error, DownloadFailed):
        return error
    sentence = _of_the_hub(error, repository) or _of_this_computer(error)
    if not sentence:
        raise error
    return DownloadFailed(sentence, repository)


def _of_the_hub(error: Exception, repository: str) -> str:
    match error:
        case GatedRepoError():
            return (
                f"{repository} is given out only after its terms are accepted. Accept them on its page, "
                "log in on this computer with “hf auth login”, and try again."
            )
        case RevisionNotFoundError():
            return f"{repository} does not have the version that was asked for."
        case RepositoryNotFoundError():
            return _unknown(repository)
        case HfHubHTTPError():
            return _of_a_status(error.response.status_code, error.response.headers.get("Retry-After", ""), repository)
        case HFValidationError():
            return f"“{repository}” is not the name of a model: it must look like owner/model."
        case _:
            return ""


def _of_a_status(status: int, wait: str, repository: str) -> str:
    if status == TOO_MANY:
        when = f"in {wait} seconds" if wait.isdigit() else "in a few minutes"
        return f"The hub has had too many requests from here. Try again {when}."
    if status == UNAUTHORIZED:  # what a hub says of private and of unknown models alike
        return _unknown(repository)
    if status == FORBIDDEN:
        return f"The hub does not let you have {repository}. Log in on this computer with “hf auth login”."
    if status >= SERVER_FAULT:
        return f"The hub has a problem of its own at the moment (error {status}). Try again later."
    return f"The hub refused to give {repository} (error {status})."


def _unknown(repository: str) -> str:
    return (
        f"There is no public model {repository}. Check the name; a private one needs “hf auth login” "
        "on this computer first."
    )


def _of_this_computer(error: Exception) -> str:
    if isinstance(error, OfflineModeIsEnabled):
        return "The hub library is set to offline mode (HF_HUB_OFFLINE). Unset it to download models."
    if isinstance(error, NetworkError):
        return "The hub cannot be reached. Check the connection and try again; what was fetched is kept."
    if isinstance(error, OSError):
        if error.errno == errno.ENOSPC:
            return "The disk is full. Free some space and try again; what was fetched is kept."
        return f"The model could not be written: {error.strerror or error}."
    return ""
