"""Chat templates, shortened to what decides prompts: roles, the place of images, and the ends of turns."""

from __future__ import annotations

_CONTENT = (
    "{%- if message.content is string -%}{{ message.content }}{%- else -%}{%- for part in message.content -%}"
    "{%- if part.type == 'image' -%}{{ '%s' }}{%- elif part.type == 'text' -%}{{ part.text }}{%- endif -%}"
    "{%- endfor -%}{%- endif -%}"
)


def template(image: str, turn: str, closing: str, generation: str, opening: str = "") -> str:
    """Return a template: ``opening``, then per message ``turn``, content and ``closing``, at last ``generation``.

    All but ``image`` (the placeholder's text) are Jinja expressions; ``turn`` may use ``message``.
    """
    start = f"{{{{- {opening} -}}}}" if opening else ""
    content = _CONTENT.replace("%s", image)
    return (
        f"{start}{{%- for message in messages -%}}{{{{- {turn} -}}}}{content}{{{{- {closing} -}}}}{{%- endfor -%}}"
        f"{{%- if add_generation_prompt -%}}{{{{- {generation} -}}}}{{%- endif -%}}"
    )


def chatml(image: str = "") -> str:
    """Return the template of the Qwen, InternVL and LFM2 families, with ``image`` for each image part."""
    return template(
        image,
        turn=r"'<|im_start|>' + message.role + '\n'",
        closing=r"'<|im_end|>\n'",
        generation=r"'<|im_start|>assistant\n'",
    )


def gemma(image: str, opens: str, closes: str) -> str:
    """Return the template of the Gemma families, whose assistant is called ``model``."""
    return template(
        image,
        opening="bos_token",
        turn=rf"'{opens}' + ('model' if message.role == 'assistant' else message.role) + '\n'",
        closing=rf"'{closes}\n'",
        generation=rf"'{opens}model\n'",
    )


THINKING = (
    r"{%- for message in messages -%}{{- '<|im_start|>' + message.role + '\n' -}}"
    r"{%- if message.role == 'assistant' and '</think>' in message.content -%}"
    r"{{- message.content.split('</think>')[-1].lstrip('\n') -}}{%- else -%}{{- message.content -}}{%- endif -%}"
    r"{{- '<|im_end|>\n' -}}{%- endfor -%}"
    r"{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\n' -}}"
    r"{%- if enable_thinking is defined and not enable_thinking -%}{{- '<think>\n\n</think>\n\n' -}}{%- endif -%}"
    r"{%- endif -%}"
)
"""As Qwen 3 does it: reasoning of earlier turns is left out of the next prompt."""

THINKING_ALWAYS = THINKING + r"{%- if add_generation_prompt -%}{{- '<think>\n' -}}{%- endif -%}"
"""As the models do that only think: the prompt itself opens the thought."""
