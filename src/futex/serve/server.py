"""The service on a socket: it starts at once, loads behind, and ends when told without dropping an answer."""

import asyncio
import logging
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from futex.errors import InputError
from futex.plm.heap import give_large_blocks_back
from futex.serve.app import build
from futex.serve.project import open_projects
from futex.serve.service import Service
from futex.serve.settings import Settings

log = logging.getLogger(__name__)

SECONDS_TO_END = 30
BACKLOG = 128


def serve(models: Sequence[Path], settings: Settings) -> None:
    """Until Ctrl-C or SIGTERM; a model that cannot be loaded ends it with its error."""
    give_large_blocks_back()
    service = Service(open_projects(models, settings.feedback), settings)
    with listening(settings) as listener:
        server = server_of(service)
        service.on_failure = lambda: setattr(server, "should_exit", True)
        with _ended_by_signals(server):
            log.info("FuTex answers at %s/", address_of(listener))
            server.run(sockets=[listener])
    if service.failure is not None:
        raise service.failure


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """uvicorn listens to signals only while it runs; one that comes just before counts too.

    When it has ended it raises the signal again, for whom it may concern: nobody here.
    """

    def end(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as error:
        where = f"{settings.host} port {settings.port}"
        other = "choose another with --host or --port"
        raise InputError(f"cannot listen at {where}: {error.strerror or error}; {other}") from error


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server_of(service: Service) -> uvicorn.Server:
    limits = service.settings.limits

    class Patient(_ImpatientProtocol):
        header_seconds = limits.header_seconds
        body_seconds = limits.body_seconds

    return uvicorn.Server(
        uvicorn.Config(
            build(service),
            http=Patient,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=limits.connections,
            timeout_graceful_shutdown=SECONDS_TO_END,
        )
    )


class _ImpatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, but a client that neither sends nor takes what it should is hung up on."""

    header_seconds: float
    body_seconds: float
    _awaited: object = None
    _hanging_up: asyncio.TimerHandle | None = None
    _giving_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._giving_up = self.loop.call_later(self.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._giving_up)

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._hanging_up)
        _cancel(self._giving_up)
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Time runs while no request is being answered, anew for each thing that is awaited."""
        awaited = self._awaits()
        if awaited is self._awaited:
            return
        self._awaited = awaited
        _cancel(self._hanging_up)
        if awaited is not None:
            seconds = self.header_seconds if awaited is h11.IDLE else self.body_seconds
            self._hanging_up = self.loop.call_later(seconds, self._hang_up)

    def _awaits(self) -> object:
        """Headers, the rest of a body that was answered early, the end of what we have closed, or nothing."""
        if self.transport.is_closing():
            return h11.CLOSED
        if self.conn.their_state is h11.SEND_BODY and not self.cycle.response_complete:
            return None
        return self.conn.their_state if self.conn.their_state in (h11.IDLE, h11.SEND_BODY) else None

    def _hang_up(self) -> None:
        """Whoever has not taken the rest of an answer a while later does not get it."""
        if self._awaited is h11.CLOSED:
            self.transport.abort()
        else:
            self.transport.close()
            self._watch()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
