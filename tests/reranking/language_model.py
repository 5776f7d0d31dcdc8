"""A server that plays a language model: chat completions in OpenAI's format, graded by a rule that the test gives."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-secret-0123456789"


def completion(content, read=1000, written=50, **message):
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny-2026",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": None, **message},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }


def refused(message, kind="invalid_request_error", param=None):
    return {"error": {"message": message, "type": kind, "param": param, "code": None}}


def told(request):
    """What the user message says of the paper."""
    return json.loads(request["messages"][1]["content"])


class LanguageModel:
    """Answers by `grade`, a function of a label as it was told, unless `answers` holds other (status, headers, body)s.

    `rule` gives an answer (or None) by the whole request; requests and keys are remembered.
    """

    def __init__(self):
        self.requests, self.keys, self.paths, self.answers = [], [], [], []
        self.grade = lambda label: 0
        self.rule = lambda request: None
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, headers, body = model.answer(request, self.headers["Authorization"], self.path)
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": len(data), **headers}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                model.paths.append(self.path)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, request, key, path):
        with self._lock:
            self.requests.append(request)
            self.keys.append(key)
            self.paths.append(path)
            if self.answers:
                return self.answers.pop(0)
        if answer := self.rule(request):
            return answer
        grades = {str(label["number"]): self.grade(label) for label in told(request)["labels"]}
        return 200, {}, completion(json.dumps(grades))

    def close(self):
        self.http.shutdown()
        self.http.server_close()
