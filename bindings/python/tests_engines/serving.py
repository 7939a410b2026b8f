"""A server of vLLM in processes of its own, with a worker of random logits instead of a model, for tests of its HTTP
responses.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STARTS = 300  # seconds: a machine with two busy cores takes half of it


class Server:
    """Asks a server that runs."""

    def __init__(self, port: int, model: str):
        self._base, self._model = f"http://127.0.0.1:{port}", model

    def ask(self, path: str, **body: Any) -> tuple[int, str]:
        """Returns the status and the body of a response."""
        data = json.dumps({"model": self._model, "max_tokens": 300, **body}).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as e:
            return e.code, e.read().decode()

    def texts(self, **body: Any) -> list[str]:
        """Returns the completions of a prompt."""
        status, answer = self.ask("/v1/completions", prompt="Say something", **body)
        assert status == 200, answer
        return [choice["text"] for choice in json.loads(answer)["choices"]]

    def chat(self, **body: Any) -> str:
        """Returns the content of a chat's answer, which is streamed if the body says so."""
        status, answer = self.ask("/v1/chat/completions", messages=[{"role": "user", "content": "Hello"}], **body)
        assert status == 200, answer
        if not body.get("stream"):
            return json.loads(answer)["choices"][0]["message"]["content"]
        events = [json.loads(line[6:]) for line in answer.splitlines() if line.startswith("data: {")]
        assert answer.rstrip().endswith("data: [DONE]"), answer[-1000:]
        return "".join(e["choices"][0]["delta"].get("content") or "" for e in events)

    def refused(self, path: str = "/v1/chat/completions", **body: Any) -> str:
        """Returns the error message for a wrong request; the status must be 400."""
        if "prompt" not in body:
            body["messages"] = [{"role": "user", "content": "Hello"}]
        status, answer = self.ask(path, **body)
        assert status == 400, (status, answer[:2000])
        return json.loads(answer)["error"]["message"]

    def healthy(self) -> bool:
        """Says whether it answers."""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self._base}/health", timeout=5) as answer:
            return answer.status == 200
        return False


@contextlib.contextmanager
def serving(folder: str, log: Path, environment: dict[str, str], *options: str) -> Iterator[Server]:
    """Runs a server of a model's folder while the block does; its output is in a file."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "vllm.entrypoints.cli.main", "serve", folder, "--host", "127.0.0.1"]
    command += ["--port", str(port), "--load-format", "dummy", "--enforce-eager", "--max-num-seqs", "32"]
    command += ["--worker-cls", "random_worker.RandomWorker", *options]
    env = os.environ | {"VLLM_CPU_KVCACHE_SPACE": "1"} | environment
    with log.open("w") as out:
        process = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
    server, until = Server(port, folder), time.monotonic() + STARTS
    try:
        while not server.healthy():
            assert process.poll() is None and time.monotonic() < until, log.read_text()[-5000:]
            time.sleep(0.5)
        yield server
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
