"""Going on with an answer that was stopped: what the model had said stands in the prompt as it was generated."""

from __future__ import annotations

from collections.abc import Sequence

from app.errors import UserError
from app.inference.answer import AnswerText
from app.inference.model import LoadedModel
from app.inference.streaming import THINK_CLOSE, THINK_OPEN
from app.inference.types import ChatRequest, Message


def unfinished(model: LoadedModel, request: ChatRequest) -> tuple[Sequence[Message], tuple[int, ...]]:
    """Return the conversation up to the answer that is asked for, and the ids of what there is of this answer already.

    Raises:
        ValueError: the request wants an answer continued, and its last message is none.
        UserError: there is but a thought of this answer, and the model does not think.
    """
    if not request.continue_answer:
        return request.messages, ()
    *before, answer = request.messages
    if answer.role != "assistant":
        raise ValueError(f"the answer to continue is a message of the {answer.role}")
    return before, _as_generated(model, before, answer) or _tokenized(model, before, answer)


def start_answer(model: LoadedModel, messages: Sequence[Message], stops: Sequence[str] = ()) -> AnswerText:
    """Return the empty text of the answer to ``messages``."""
    return AnswerText(model.tokenizer, stops, thinks=model.thinks, opened=_begins_thinking(model, messages))


def _as_generated(model: LoadedModel, before: Sequence[Message], answer: Message) -> tuple[int, ...]:
    """Return the answer's own ids where they still give all of it: not if it was cut at a stop string or changed."""
    ids = answer.token_ids or ()
    if model.placeholder_id in ids:
        return ()  # no image stands there
    said = start_answer(model, before)
    said.resume(ids)
    list(said.finish())
    return ids if (said.text, said.thinking) == (answer.text, answer.thinking) else ()


def _tokenized(model: LoadedModel, before: Sequence[Message], answer: Message) -> tuple[int, ...]:
    """Return new ids of what there is, set apart as the model at hand would have done it."""
    prompt = model.builder.render(before).rstrip() if model.thinks else THINK_CLOSE
    opening = "" if prompt.endswith(THINK_OPEN) else f"{THINK_OPEN}\n"
    may_think = not prompt.endswith(THINK_CLOSE)
    if answer.thinking and not answer.text and not may_think:
        raise UserError(f"{model.info.name} does not think, so this thought cannot be gone on with.")
    thought = opening + answer.thinking if may_think and answer.thinking else ""
    if not answer.text:
        return _ids(model, thought)
    closing = f"{THINK_CLOSE}\n\n" if thought or not opening else ""
    thought = f"{thought.rstrip()}\n" if thought else ""
    return _ids(model, thought + closing + answer.text)


def _ids(model: LoadedModel, text: str) -> tuple[int, ...]:
    return tuple(model.adapter.tokenize(model.builder.defused(text))) if text else ()


def _begins_thinking(model: LoadedModel, messages: Sequence[Message]) -> bool:
    return model.thinks and model.builder.render(messages).rstrip().endswith(THINK_OPEN)
