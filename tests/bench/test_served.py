"""A contestant in a process of its own, here a server that speaks as vllm-mlx does."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from app.bench.turns.runner import _difference
from app.bench.turns.scenario import eight_turns
from app.bench.turns.served import FLAGS, Served

SERVER = """#!{python}
import base64, io, json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from PIL import Image

assert sys.argv[1:3] == ["serve", "the-model"], sys.argv
assert "{flag}" in sys.argv

class Answers(BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        contents = [message["content"] for message in asked["messages"]]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        images = [Image.open(io.BytesIO(base64.b64decode(url.split(",", 1)[1]))) for url in urls]
        for content in (None, f"{{len(images)}} of {{images[0].width}}", "!"):
            self.say({{"choices": [{{"delta": {{"content": content}}}}]}})
        self.say({{"choices": [], "usage": {{"prompt_tokens": 321}}}})
        self.wfile.write(b"data: [DONE]\\n\\n")

    def say(self, event):
        self.wfile.write(f"data: {{json.dumps(event)}}\\n\\n".encode())

HTTPServer(("127.0.0.1", int(sys.argv[-1])), Answers).serve_forever()
"""


def program(folder: Path, text: str) -> Path:
    path = folder / "vllm-mlx"
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_it_is_asked_over_its_port_and_what_it_does_not_tell_stays_open(tmp_path: Path) -> None:
    served = Served(program(tmp_path, SERVER.format(python=sys.executable, flag=FLAGS[0])), "the-model")
    try:
        first, *_, last = [served.ask(turn) for turn in eight_turns(56)]
    finally:
        served.close()
    assert (first.text, last.text) == ("1 of 56!", "2 of 56!")
    assert first.prompt_tokens == 321
    assert first.ttft > 0
    assert (first.reused, first.encoder_calls, first.logprobs) == (None, None, None)
    assert _difference(first, first) == 0
    assert _difference(first, last) == float("inf")
    assert not served.restart()


def test_one_that_does_not_come_up_says_its_last_words(tmp_path: Path) -> None:
    broken = program(tmp_path, f"#!{sys.executable}\nprint('no such model'); raise SystemExit(3)\n")
    with pytest.raises(TimeoutError, match="no such model"):
        Served(broken, "the-model")
