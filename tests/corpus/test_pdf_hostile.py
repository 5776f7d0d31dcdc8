"""PDFs from strangers: protected, scanned, damaged or random, they end in a document or in one clear line."""

import io
import zlib

import pytest
from corpus.pdf_press import MARGIN, SMALL, TITLE, Press, documents
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.pdfencrypt import StandardEncryption

from futex.corpus.document import Document
from futex.corpus.formats import pdf
from futex.corpus.formats.pdf import pdfium, words
from futex.corpus.sources import Source
from futex.errors import DamagedPaper

LONG = "one two three four five six seven eight nine ten " * 20


def small_paper(blocks=1, **options):
    press = Press(2, "Journal of Tests", **options)
    press.across("A paper that will come to harm", TITLE)
    press.heading("1 Introduction")
    for _ in range(blocks):
        press.block(LONG * 2)
        press.room_for(2000)
    press.heading("References")
    press.block("[1] A. Author. A work that is cited here. Tests, 2015.", SMALL)
    return press.content()


PAPER = small_paper()


def test_the_paper_is_sound_before_it_comes_to_harm():
    (document,) = documents(PAPER)
    assert document.paper.title == "A paper that will come to harm"


def refused(content):
    with pytest.raises(DamagedPaper) as refusal:
        documents(content)
    message = str(refusal.value)
    assert message.startswith("papers/some.pdf: ")
    assert "; " in message
    assert "\n" not in message
    return message


def test_a_password_is_asked_for():
    assert "password" in refused(small_paper(encrypt=StandardEncryption("secret")))


def test_a_paper_that_anyone_may_read_but_not_change_is_read():
    (document,) = documents(small_paper(encrypt=StandardEncryption("", ownerPassword="secret", canModify=0)))
    assert document.paper.title == "A paper that will come to harm"


def test_a_scan_needs_ocr():
    press = Press(1)
    press.canvas.rect(MARGIN, 100, 400, 600)
    assert "ocrmypdf" in refused(press.content())


def test_fonts_that_keep_their_letters_to_themselves_need_ocr(monkeypatch):
    secret = [words.Word("\ue001\ue002", 60.0, 80.0, 700.0 - row, 10.0, 1) for row in range(600)]
    monkeypatch.setattr(pdf, "pages", lambda content, name: [secret])
    assert "OCR" in refused(PAPER)


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4", b"%PDF-1.4\n%%EOF\n", b"%PDF-1.7 " + bytes(range(256)) * 20])
def test_what_is_no_pdf_is_refused(content):
    assert "not a readable PDF" in refused(content)


def test_pages_and_characters_are_limited(monkeypatch):
    monkeypatch.setattr(words, "MAX_PAGES", 2)
    assert "pages; split" in refused(small_paper(blocks=5))
    monkeypatch.setattr(words, "MAX_CHARACTERS", 100)
    assert "characters; split" in refused(PAPER)


def bomb():
    """A page of 300 MiB of spaces."""
    press, spaces = zlib.compressobj(level=1), b" " * 2**20
    stream = b"".join([*(press.compress(spaces) for _ in range(300)), press.flush()])
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (len(stream), stream),
    ]
    objects = b"".join(b"%d 0 obj%b endobj\n" % (number, part) for number, part in enumerate(parts, 1))
    return b"%PDF-1.4\n" + objects + b"trailer<</Root 1 0 R>>\n%%EOF"


def test_pdfium_may_take_only_so_much_memory_and_time(monkeypatch):
    monkeypatch.setattr(words, "MAX_MEMORY", 300 * 2**20)
    assert documents(PAPER)
    assert "of memory" in refused(bomb())
    monkeypatch.setattr(words, "MAX_SECONDS", 0.001)
    assert "longer than 0.001 seconds" in refused(PAPER)


def test_where_memory_cannot_be_limited_pdfium_runs_all_the_same(monkeypatch):
    def refuse(*_):
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(pytest.importorskip("resource"), "setrlimit", refuse)
    pdfium._limit_memory(words.MAX_MEMORY)


def test_a_long_name_of_a_font_is_not_written_with_every_word():
    content = PAPER.replace(b"/Times-Roman", b"/" + b"x" * 100)
    assert content != PAPER
    fonts = {word.font for page in words.pages(content, "some.pdf") for word in page}
    assert fonts == set(range(len(fonts)))
    assert b"xxx" not in words._output_of_pdfium(content, "some.pdf")


def test_a_stream_that_breaks_off_is_a_damaged_paper():
    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise EOFError("compressed file ended too early")

    with pytest.raises(DamagedPaper, match="ended too early"):
        list(pdf.read(Source("some.pdf.gz", Broken())))


def ends_well(content):
    """In this process: a thousand others would take minutes."""
    try:
        found = list(pdfium.pages(content, max_pages=20, max_characters=100_000))
    except pdfium.Refused:
        return
    assert all(words.Word(*word).size > 0 for page in found for word in page)


@given(st.binary(max_size=200))
def test_random_bytes_end_well(content):
    assert pdf.recognises(content) in {True, False}
    ends_well(b"%PDF-1.4\n" + content)


@given(st.integers(0, len(PAPER)))
def test_truncated_papers_end_well(length):
    ends_well(PAPER[:length])


PIECES = [b"endobj", b"stream", b"/Length 0", b"/Count 99999999", b"/Kids [1 0 R]", b"1 0 R", b"<<", b">>", b"\0\0"]


@settings(max_examples=60)
@given(st.data())
def test_mutated_papers_end_well(data):
    content = bytearray(PAPER)
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(content)))
        piece = data.draw(st.binary(max_size=6) | st.sampled_from(PIECES))
        content[start : start + data.draw(st.integers(0, 40))] = piece
    ends_well(bytes(content))


MADE_UP = st.builds(
    words.Word,
    text=st.sampled_from(["a", "The", "cell", "12", "-", "Figure", "1.", "References", "[1]", "\ufffd", "10.1000/x"]),
    left=st.floats(-1e5, 1e5),
    right=st.floats(-1e5, 1e5),
    baseline=st.floats(-1e5, 1e5) | st.integers(0, 9).map(float),
    size=st.sampled_from([1.0, 8.0, 10.0, 5000.0]),
    font=st.integers(0, 2),
)


@settings(max_examples=60)
@given(st.lists(st.lists(MADE_UP, max_size=30), min_size=1, max_size=3))
def test_words_anywhere_on_the_page_end_in_a_document(pages):
    laid_out = list(pdf.lines(pages))
    assert sum(line.text.count(" ") + 1 for line in laid_out) <= sum(map(len, pages))
    if laid_out:
        assert isinstance(pdf._document(laid_out, None, "some.pdf"), Document)
