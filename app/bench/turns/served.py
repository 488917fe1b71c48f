"""vllm-mlx as a contestant: a server of its own, in an environment of its own, asked as its documentation says.

Its releases pin an older mlx-lm, so it cannot be imported beside this app. It tells neither logits nor how much it
reused: its first two tokens are compared as text, and the columns that it does not tell stay empty.
"""

from __future__ import annotations

import base64
import io
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.bench.turns.contestants import Measured
from app.bench.turns.scenario import BenchTurn
from app.blas import in_wheels
from app.inference.types import ImageRef

NAME = "vllm-mlx"
FLAGS = ("--mllm", "--continuous-batching", "--cache-memory-mb", "2048", "--offline", "--host", "127.0.0.1")
START_SECONDS, ANSWER_SECONDS = 180, 600


class Served:
    """A ``vllm-mlx serve`` process.

    Args:
        program: its console script.
        ref: the model's folder.

    Raises:
        TimeoutError: it did not come up.
    """

    name = NAME

    def __init__(self, program: Path, ref: str) -> None:
        self._ref, self._home = ref, tempfile.TemporaryDirectory()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._log = (Path(self._home.name) / "log").open("w+b")
        command = [str(program), "serve", ref, *FLAGS, "--port", str(self._port)]
        self._child = subprocess.Popen(command, env=self._environment(), stdout=self._log, stderr=self._log)
        self._wait()

    def ask(self, turn: BenchTurn) -> Measured:
        """Answer and measure one turn."""
        body = {
            "model": self._ref, "messages": [_message(m.role, m.text, m.images) for m in turn.messages],
            "max_tokens": 2, "temperature": 0, "stream": True, "stream_options": {"include_usage": True},
        }  # fmt: skip
        began, first, text, prompt_tokens = time.perf_counter(), 0.0, "", 0
        for event in self._post("/v1/chat/completions", body):
            said = "".join(choice["delta"].get("content") or "" for choice in event["choices"])
            first = first or (time.perf_counter() - began if said else 0.0)
            text += said
            prompt_tokens = (event.get("usage") or {}).get("prompt_tokens", prompt_tokens)
        return Measured(first, prompt_tokens, None, None, None, text)

    def restart(self) -> bool:
        """Nothing of it outlives the process."""
        return False

    def close(self) -> None:
        """End the process."""
        self._child.terminate()
        self._child.wait()
        self._log.close()
        self._home.cleanup()

    def _environment(self) -> dict[str, str]:
        """Give it the same matrix products as ours, and a home of its own for what it keeps."""
        found = {**os.environ, "HF_HUB_OFFLINE": "1", "HOME": self._home.name}
        if libraries := in_wheels():
            found["LD_PRELOAD"] = str(libraries[0])
        return found

    def _wait(self) -> None:
        began = time.monotonic()
        while time.monotonic() - began < START_SECONDS and self._child.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self._port}/v1/models", timeout=5).close()
                return
            except urllib.error.URLError:
                time.sleep(0.5)
        self._log.seek(0)
        said = self._log.read().decode(errors="replace").strip().splitlines()[-1:]
        self.close()
        raise TimeoutError(f"{NAME} did not come up: {' '.join(said)}")

    def _post(self, path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", data, kind)
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as lines:
            for line in lines:
                content = line.decode().strip().removeprefix("data:").strip()
                if content and content != "[DONE]":
                    yield json.loads(content)


def _message(role: str, text: str, images: tuple[ImageRef, ...]) -> dict[str, Any]:
    if not images:
        return {"role": role, "content": text}
    parts: list[dict[str, Any]] = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in images]
    return {"role": role, "content": [*parts, {"type": "text", "text": text}]}


def _data_url(image: ImageRef) -> str:
    file = io.BytesIO()
    image.load().save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
