"""The gate before every route: who may ask, from where, how much and how slowly. It also counts, and sets headers.

A page of another site cannot use a service on loopback behind its owner's back: its requests name another origin, and,
should it pretend to be us by DNS, another host.
"""

import asyncio
import hmac
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from futex.serve.metrics import Metrics
from futex.serve.problems import Problem, response_of
from futex.serve.settings import Settings

KEY_HEADER = "x-api-key"
OPEN_PATHS = ("/", "/health", "/ready")
PAGE = "/page/"
"""The page's own files hold no data, and must load before a key can be typed in."""
UPLOADS = "/classify"

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._bytes_in_flight = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        body = _Body(receive, self, self._largest(scope))
        try:
            self._admit(scope)
            await self._app(scope, body.receive, send_with_headers)
        except Problem as problem:
            await response_of(problem.status_code, problem.detail, problem.headers)(scope, receive, send_with_headers)
        finally:
            self._bytes_in_flight -= body.size
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.answered(scope["method"], route, status, time.perf_counter() - began)

    def _largest(self, scope: Scope) -> int:
        limits = self._settings.limits
        return limits.upload_bytes if scope["path"].endswith(UPLOADS) else limits.body_bytes

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        self._check_origin(headers, scope["method"])
        self._check_key(headers, scope)
        if "content-length" in headers and "transfer-encoding" in headers:
            raise Problem(400, "a body has either a Content-Length or a Transfer-Encoding", close=True)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._largest(scope):
            raise too_large(self._largest(scope))

    def _check_host(self, headers: Headers) -> None:
        host = headers.get("host", "").lower()
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if self._settings.is_loopback and name not in (*LOOPBACK_NAMES, self._settings.host):
            raise Problem(421, "this service answers to localhost only; start it with --host to serve others")

    def _check_origin(self, headers: Headers, method: str) -> None:
        """Browsers name the origin of all that is not plain reading; other clients name none."""
        origin = headers.get("origin")
        if origin is None or method in ("GET", "HEAD", "OPTIONS") or origin in self._settings.allow_origins:
            return
        if origin.partition("://")[2].lower() != headers.get("host", "").lower():
            raise Problem(403, "pages of other sites may not ask; start the service with --allow-origin to let them")

    def _check_key(self, headers: Headers, scope: Scope) -> None:
        key, path = self._settings.api_key, scope["path"]
        if key is None or path in OPEN_PATHS or path.startswith(PAGE) or scope["method"] == "OPTIONS":
            return
        if not hmac.compare_digest(headers.get(KEY_HEADER, "").encode(), key.encode()):
            raise Problem(401, f"this service wants a key in the header {KEY_HEADER}")

    def hold(self, size: int) -> None:
        """Count bytes that have come in and are still needed."""
        self._bytes_in_flight += size
        if self._bytes_in_flight > self._settings.limits.bytes_in_flight:
            raise Problem(429, "too much is being sent at a time; try again later", retry_after=5, close=True)

    @property
    def body_seconds(self) -> float:
        return self._settings.limits.body_seconds


class _Body:
    """What a client sends, up to a size, and within a time."""

    def __init__(self, receive: Receive, guard: Guard, largest: int) -> None:
        self._receive = receive
        self._guard = guard
        self._largest = largest
        self._is_whole = False
        self._deadline = time.monotonic() + guard.body_seconds
        self.size = 0

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), self._deadline - time.monotonic())
        except TimeoutError:
            raise Problem(408, "the body of this request came too slowly", close=True) from None
        chunk = message.get("body", b"")
        self.size += len(chunk)
        self._is_whole = not message.get("more_body", False)
        self._guard.hold(len(chunk))
        if self.size > self._largest:
            raise too_large(self._largest)
        return message


def too_large(largest: int) -> Problem:
    return Problem(413, f"more than {largest >> 10:,} KiB; the service takes no more at a time", close=True)
