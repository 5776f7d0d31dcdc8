"""A language model behind POST {base}/chat/completions: OpenAI's format, which most services and local servers speak.

    Endpoint.complete(request) → Answer
    ├── NoAnswer       this request got none; another may
    └── ServiceError   no request would: wrong address, model or key

The key comes from the environment and goes into one header; it is in no message, file or repr.
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from threading import Event
from typing import Any

from futex.errors import FutexError, InputError, ServiceError
from futex.reranking.answers import Answer
from futex.reranking.spending import Tokens

KEY = "FUTEX_LLM_KEY"
"""The environment variable with the key; a local server needs none."""

PATH = "/chat/completions"
TIMEOUT = 120.0
TRIES = 6
FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0
"""Seconds before the second try, twice as many before each further one; who asks for more patience is asked no more."""

MAX_BYTES = 1 << 20
QUOTED = 200
"""Characters of a server's message that are shown."""

_BUSY = frozenset({408, 409, 425, 429, *range(500, 600)})
_OPTIONAL = ("response_format", "temperature", "seed", "max_tokens")
"""Not every server knows these; one that names some of them in its refusal is asked without."""


class NoAnswer(FutexError):
    """One request got no answer, after all that is worth trying."""


class Refusal(NoAnswer):
    """The server is there, but not for this request."""


class _Later(NoAnswer):
    """No answer now; there may be one after a pause of so many seconds."""

    def __init__(self, problem: str, wanted: float = 0.0) -> None:
        super().__init__(problem)
        self.wanted = wanted


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key is for the address it was given for, and for no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Endpoint:
    def __init__(
        self,
        base: str,
        model: str,
        *,
        timeout: float = TIMEOUT,
        sleep: Callable[[Event, float], object] = Event.wait,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.base = _checked(base)
        self.model = model
        self._key = _key()
        self._timeout, self._sleep, self._clock = timeout, sleep, clock
        self._left_out: set[str] = set()
        self._open = urllib.request.build_opener(_NoRedirects()).open

    def complete(self, request: Mapping[str, Any], stopped: Event | None = None) -> Answer:
        """Ask until there is an answer, with growing pauses for as long as "later" may help, or until it is stopped."""
        stopped = stopped or Event()
        pause = FIRST_WAIT
        for _ in range(TRIES - 1):
            try:
                return self._ask(request)
            except _Later as later:
                wait = max(pause, later.wanted)
                if wait > LONGEST_WAIT:
                    raise
                self._sleep(stopped, wait)
                if stopped.is_set():
                    raise
            pause *= 2
        return self._ask(request)

    def _ask(self, request: Mapping[str, Any]) -> Answer:
        sent = {name: value for name, value in request.items() if name not in self._left_out}
        try:
            return _answer(self._post(sent))
        except urllib.error.HTTPError as error:
            said = self._said(error)
            unknown = {name for name in _OPTIONAL if name in sent and name in said}
            if error.code in (400, 422) and unknown:
                self._left_out |= unknown
                return self._ask(request)
            raise self._refusal(error, said) from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", "") or error or type(error).__name__
            raise _Later(f"no answer from {self.base} ({reason})") from error

    def _post(self, body: Mapping[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "futex"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        asked = urllib.request.Request(self.base + PATH, json.dumps(body).encode(), headers)
        with self._open(asked, timeout=self._timeout) as response:
            content: bytes = response.read(MAX_BYTES + 1)
        return content

    def _said(self, error: urllib.error.HTTPError) -> str:
        """The server's own words, without the key, if it repeats it."""
        try:
            with error:
                said = error.read(MAX_BYTES).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            return ""
        return said.replace(self._key, "…") if self._key else said

    def _refusal(self, error: urllib.error.HTTPError, said: str) -> FutexError:
        """Some refusals end everything, some this request, and some pass."""
        code = error.code
        if code in (401, 403):
            hint = f"check the key in ${KEY}" if self._key else f"put a key into ${KEY}"
            return ServiceError(f"{self.base} does not let us in ({code}): {hint}")
        if code == 404:
            return ServiceError(
                f"{self.base} knows no {PATH} or no model {self.model!r} (404): "
                "check --llm, which often ends in /v1, and --llm-model"
            )
        if 300 <= code < 400:
            return ServiceError(f"{self.base} has moved ({code}): give its new address with --llm")
        problem = f"{self.base} answers {code} ({' '.join(said.split())[:QUOTED]})"
        if code in _BUSY:
            return _Later(problem, self._wanted_pause(error.headers.get("Retry-After", "")))
        return Refusal(problem)

    def _wanted_pause(self, retry_after: str) -> float:
        """Seconds, or a date; anything else says nothing."""
        try:
            return float(retry_after)
        except ValueError:
            pass
        try:
            return parsedate_to_datetime(retry_after).timestamp() - self._clock()
        except (ValueError, OverflowError):
            return 0.0


def _checked(base: str) -> str:
    try:
        address = urllib.parse.urlsplit(base)
        fits = address.scheme in ("http", "https") and address.hostname and address.port != 0
        fits = fits and not (address.username or address.password or address.query or address.fragment)
    except ValueError:
        fits = False
    if not fits or not base.isascii() or not base.isprintable() or " " in base:
        raise InputError(
            f"--llm: not the address of an endpoint; give one like http://localhost:8000/v1, and a key in ${KEY}"
        )
    return base.rstrip("/").removesuffix(PATH)


def _key() -> str:
    key = os.environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"${KEY} holds characters that no key has: set it again")
    return key


def _answer(content: bytes) -> Answer:
    """choices[0].message.content and usage; a refusal has no content."""
    try:
        completion = json.loads(content)
        written = completion["choices"][0]["message"].get("content")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise NoAnswer("the answer is no chat completion: is this an OpenAI-compatible endpoint?") from None
    return Answer(written if isinstance(written, str) else "", _tokens(completion.get("usage")))


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not (isinstance(read, int) and isinstance(written, int) and read >= 0 and written >= 0):
        return None
    return Tokens(read, written)
