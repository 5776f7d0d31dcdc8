"""PDF, read by a running GROBID server: it sends the file there and reads the TEI that comes back.

A `GrobidPdf(url)` stands in for this package wherever a reader of PDFs is wanted.
"""

import http.client
import io
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from futex.corpus.content import MAX_BYTES, content_of
from futex.corpus.document import Document
from futex.corpus.formats import pdf, tei
from futex.corpus.paper import squeeze
from futex.corpus.sources import Source
from futex.errors import DamagedPaper, InputError, ServiceError

TIMEOUT = 300
"""Seconds to wait for an answer; GROBID itself gives up on a paper earlier."""
BUSY_WAIT, BUSY_TRIES = 5, 60
"""A server whose engines are all at work answers 503; it is asked again after some seconds, for five minutes."""

_BUSY, _NO_CONTENT, _NOT_FOUND = 503, 204, 404


@dataclass(frozen=True)
class GrobidPdf:
    url: str
    NAME = pdf.NAME

    def __post_init__(self) -> None:
        if not _is_address(self.url):
            raise InputError(f"--grobid {self.url}: not an address; give one like http://localhost:8070")

    def recognises(self, head: bytes, name: str = "") -> bool:
        return pdf.recognises(head, name)

    def read(self, source: Source) -> Iterator[Document]:
        answer = self._answer(content_of(source.stream, source.name), source.name)
        try:
            yield from tei.read(Source(source.name, io.BytesIO(answer), file=source.file))
        except DamagedPaper as error:
            raise DamagedPaper(f"{source.name}: the answer of GROBID is no paper ({error})") from error

    def _answer(self, content: bytes, name: str) -> bytes:
        request = _request(f"{self.url.rstrip('/')}/api/processFulltextDocument", content)
        for _ in range(BUSY_TRIES):
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                    return _content(response, name)
            except urllib.error.HTTPError as error:
                if error.code != _BUSY:
                    raise self._refused(error, name) from error
                time.sleep(BUSY_WAIT)
            except urllib.error.URLError as error:
                raise ServiceError(f"no answer from GROBID at {self.url} ({error.reason}); is it running?") from error
            except (OSError, http.client.HTTPException) as error:
                what = squeeze(str(error)) or type(error).__name__
                raise DamagedPaper(f"{name}: GROBID broke off ({what}); read it without --grobid") from error
        raise ServiceError(f"GROBID at {self.url} stays busy; give it more engines (concurrency) or try later")

    def _refused(self, error: urllib.error.HTTPError, name: str) -> DamagedPaper | ServiceError:
        if error.code == _NOT_FOUND:
            return ServiceError(f"{self.url} is not a GROBID server (404 for api/processFulltextDocument)")
        what = ""
        with suppress(OSError, http.client.HTTPException):  # the reason may break off, too
            what = squeeze(error.read(200).decode("utf-8", "replace"))
        return DamagedPaper(f"{name}: GROBID cannot read it ({error.code} {what}); read it without --grobid")


def _is_address(url: str) -> bool:
    try:
        address = urllib.parse.urlsplit(url)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # a bracket that is never closed, a port that is no number
        return False


def _request(address: str, content: bytes) -> urllib.request.Request:
    """A form as a browser would send it, with the file and without a look-up of its title in other services."""
    boundary = secrets.token_hex(16)
    body = (
        f"--{boundary}\r\n"
        'Content-Disposition: form-data; name="consolidateHeader"\r\n\r\n0\r\n'
        f"--{boundary}\r\n"
        'Content-Disposition: form-data; name="input"; filename="paper.pdf"\r\n'
        "Content-Type: application/pdf\r\n\r\n"
    ).encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Accept": "application/xml"}
    return urllib.request.Request(address, body + content + f"\r\n--{boundary}--\r\n".encode(), headers)


def _content(response: http.client.HTTPResponse, name: str) -> bytes:
    if response.status == _NO_CONTENT:
        raise DamagedPaper(
            f"{name}: GROBID finds no text in it; add a text layer with OCR, e.g. ocrmypdf in.pdf out.pdf"
        )
    content = response.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise DamagedPaper(
            f"{name}: the answer of GROBID is longer than {MAX_BYTES >> 20} MiB; read it without --grobid"
        )
    return content
