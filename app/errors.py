"""Two families of errors: what the user's environment or input caused, and what is our own bug."""

from __future__ import annotations


class UserError(Exception):
    """Something outside our code: the message is one sentence that the user can act on.

    Attributes:
        subject: the file, model or setting concerned, for the place where the error is shown.
    """

    def __init__(self, message: str, subject: str = "") -> None:
        super().__init__(message)
        self.subject = subject


class ImageRefused(UserError):
    """An image cannot be used; ``subject`` names the file."""


class ModelRefused(UserError):
    """A model cannot be loaded; ``subject`` names the reference."""


class PromptTooLong(UserError):
    """The prompt does not fit the model's context or the memory; the message has the numbers."""
