"""Where the service listens, who may ask, and how much."""

import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path

from futex.config import cache_folder
from futex.errors import InputError

MIB = 2**20
KEY = re.compile("[!-~]+( +[!-~]+)*")
"""Of those signs that any client can put into a header."""
ORIGIN = re.compile("[a-z][a-z0-9+.-]*://[^/*A-Z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a request may cost. Whatever is beyond gets a status code at once."""

    upload_bytes: int = 32 * MIB
    body_bytes: int = 4 * MIB
    """Of JSON and forms, which are taken apart between two other requests."""
    bytes_in_flight: int = 256 * MIB
    """Of all requests that are being answered."""
    characters: int = 500_000
    """Of a paper, some 150 pages."""
    seconds: float = 60.0
    """From the last byte of a request to its answer."""
    reading_seconds: float = 20.0
    """To make a paper of an upload."""
    header_seconds: float = 10.0
    body_seconds: float = 60.0
    """How long a client may take to send them."""
    waiting: int = 64
    """Papers that wait to be ranked."""
    batch: int = 16
    batch_characters: int = 100_000
    """Papers ranked together, or fewer if they are long: the shortest waits for the longest."""
    batch_pause: float = 0.004
    """Seconds to wait for company."""
    connections: int = 512
    readers: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8000
    api_key: str | None = None
    allow_origins: tuple[str, ...] = ()
    """Other sites whose pages may ask, as "https://example.org"."""
    feedback: Path | None = None
    """One file for all projects; if not given, each has its own beside its model."""
    cache: Path = field(default_factory=cache_folder)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """An empty key would let everybody in, one that no header can carry nobody; nor does an origin with a path."""
        if self.api_key is not None and not KEY.fullmatch(self.api_key):
            wanted = "ASCII letters, digits and signs, without spaces around them"
            raise InputError(f"the key in --api-key or $FUTEX_API_KEY must be {wanted}, and not empty")
        for origin in self.allow_origins:
            if not ORIGIN.fullmatch(origin):
                raise InputError(f"--allow-origin {origin}: name a site as browsers do, https://example.org for one")

    @property
    def is_loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
