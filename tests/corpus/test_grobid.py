"""A server that plays GROBID answers in every way a real one may."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from corpus.tei_paper import LONG, in_body

from futex.corpus.formats.pdf import grobid
from futex.corpus.formats.pdf.grobid import GrobidPdf
from futex.corpus.reading import read_documents
from futex.errors import DamagedPaper, InputError, ServiceError

PDF = b"%PDF-1.4 not looked into"
TEI = in_body(f"<div><head>Methods</head><p>{LONG}</p></div>")


class Server:
    """Gives the answers it is told, the last of them again and again, and remembers what it was asked."""

    def __init__(self):
        self.answers, self.asked = [(200, TEI)], []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server.asked.append((self.path, self.headers["Content-Type"], body))
                status, answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                if not answer and status == 500:
                    self.send_response(status)
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.wfile.write(b"100\r\nends here")
                elif status:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(answer.encode())))
                    self.end_headers()
                    self.wfile.write(answer.encode())

            def log_message(self, *_):
                pass

        self.http = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(grobid, "BUSY_WAIT", 0.001)
    monkeypatch.setattr(grobid, "BUSY_TRIES", 3)
    server = Server()
    yield server
    server.close()


@pytest.fixture
def papers(tmp_path):
    (tmp_path / "one.pdf").write_bytes(PDF)
    (tmp_path / "two.pdf").write_bytes(PDF)
    return tmp_path


def read(server, path):
    return list(read_documents(str(path), grobid=server.url))


def test_a_pdf_is_sent_as_a_form_and_comes_back_as_a_paper(server, papers):
    (document,) = read(server, papers / "one.pdf")
    assert document.paper.id == "one"
    assert [tuple(place) for place in document.paper.paragraphs()] == [(("Methods",), LONG)]
    ((path, kind, body),) = server.asked
    assert path == "/api/processFulltextDocument"
    boundary = kind.removeprefix("multipart/form-data; boundary=").encode()
    parts = body.split(b"--" + boundary)
    assert [part.rstrip(b"\r\n") for part in parts][0::3] == [b"", b"--"]
    assert parts[1].endswith(b'name="consolidateHeader"\r\n\r\n0\r\n')
    assert b'name="input"; filename="paper.pdf"' in parts[2]
    assert parts[2].endswith(b"\r\n\r\n" + PDF + b"\r\n")


def test_the_id_is_the_whole_file_name_without_its_extension(server, tmp_path):
    (tmp_path / "2105.05862.pdf").write_bytes(PDF)
    (document,) = read(server, tmp_path / "2105.05862.pdf")
    assert document.paper.id == "2105.05862"


def test_other_formats_do_not_go_to_the_server(server, tmp_path):
    (tmp_path / "p.jsonl").write_text('{"id": "d1", "title": "t", "abstract": "a"}')
    assert [document.paper.id for document in read(server, tmp_path / "p.jsonl")] == ["d1"]
    assert server.asked == []


def test_a_busy_server_is_asked_again(server, papers):
    server.answers = [(503, ""), (503, ""), (200, TEI)]
    assert len(read(server, papers / "one.pdf")) == 1
    assert len(server.asked) == 3


def test_but_not_for_ever(server, papers):
    server.answers = [(503, "")]
    with pytest.raises(ServiceError, match="stays busy"):
        read(server, papers / "one.pdf")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((500, "[BAD_INPUT_DATA]\n no pages"), r"one.pdf: GROBID cannot read it \(500 \[BAD_INPUT_DATA\] no pages\); "),
        ((500, ""), r"one.pdf: GROBID cannot read it \(500 \); "),
        ((204, ""), "one.pdf: GROBID finds no text in it; add a text layer with OCR"),
        ((200, "<html>Welcome</html>"), "one.pdf: the answer of GROBID is no paper .*no <TEI> inside"),
        ((200, "garbage"), "one.pdf: the answer of GROBID is no paper .*not well-formed"),
        ((0, ""), "one.pdf: GROBID broke off"),
    ],
)
def test_a_paper_that_the_server_cannot_read_is_named_and_passed_over(server, papers, answer, message):
    server.answers = [answer]
    with pytest.raises(DamagedPaper, match=message):
        read(server, papers / "one.pdf")
    server.answers = [answer, (200, TEI)]
    skipped = []
    found = list(read_documents(str(papers), grobid=server.url, workers=1, on_skip=skipped.append))
    assert [document.paper.id for document in found] == ["two"]
    assert len(skipped) == 1
    assert "\n" not in skipped[0]


def test_an_answer_without_end_is_cut_off(server, papers, monkeypatch):
    monkeypatch.setattr(grobid, "MAX_BYTES", 100)
    with pytest.raises(DamagedPaper, match="longer than"):
        read(server, papers / "one.pdf")


def test_a_slow_server_is_not_waited_for_too_long(papers, monkeypatch, server):
    monkeypatch.setattr(grobid, "TIMEOUT", 0.05)
    held = []
    monkeypatch.setattr(server.http, "process_request", lambda *request: held.append(request))  # and never answered
    with pytest.raises(DamagedPaper, match=r"GROBID broke off \(timed out\)"):
        read(server, papers / "one.pdf")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_that_is_not_there_stops_the_whole_run(server, papers, workers):
    server.close()
    with pytest.raises(ServiceError, match=r"no answer from GROBID at http://127.0.0.1:\d+ .*; is it running\?"):
        list(read_documents(str(papers), grobid=server.url, workers=workers, on_skip=pytest.fail))


def test_several_papers_are_sent_at_once(server, papers):
    found = list(read_documents(str(papers), grobid=server.url, workers=2))
    assert [document.paper.id for document in found] == ["one", "two"]


def test_another_server_stops_the_whole_run(server, papers):
    server.answers = [(404, "not found")]
    with pytest.raises(ServiceError, match="is not a GROBID server"):
        list(read_documents(str(papers), grobid=server.url, on_skip=pytest.fail))


@pytest.mark.parametrize(
    "url", ["localhost:8070", "file:///etc/passwd", "ftp://a/b", "http://", "", "http://[::1", "http://a:8b"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(InputError, match="not an address"):
        GrobidPdf(url)
