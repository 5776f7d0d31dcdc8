import io

import pytest
from corpus.text_source import source

from futex.corpus import text_files
from futex.corpus.formats import annif
from futex.corpus.sources import Source
from futex.corpus.text_files import decoded, extension, file_stem, stem, whole_text
from futex.errors import DamagedPaper


@pytest.mark.parametrize("name", ["paper.tex", "a/b/paper.tex", "a\\paper.tex", "a.zip:b/paper.tex", "paper.tex.gz"])
def test_names(name):
    assert (stem(name), extension(name)) == ("paper", ".tex")


@pytest.mark.parametrize("name", ["paper", "folder.d/paper"])
def test_names_without_extension(name):
    assert (stem(name), extension(name)) == ("paper", "")


@pytest.mark.parametrize("name", ["1706.03762", "a/1706.03762.gz", "1706.03762.tex", "1706.03762.tex.gz"])
def test_the_number_that_arxiv_gives_a_paper_is_no_extension(name):
    assert stem(name) == file_stem(Source(name, io.BytesIO(), file=name)) == "1706.03762"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("é\r\nü\ra".encode(), "é\nü\na"),
        (b"\xef\xbb\xbfa\x00b\x1b", "ab"),
        ("é".encode("utf-16"), "é"),
        ("é“".encode("cp1252"), "é“"),
        (b"\xff\xfe\xd8", "\ufffd"),
    ],
)
def test_any_bytes_are_decoded(content, expected):
    assert decoded(content) == expected


def test_texts_of_too_many_lines_are_refused(monkeypatch):
    monkeypatch.setattr(text_files, "MAX_LINES", 3)
    assert whole_text(source("a\nb\nc\n", "a.txt")) == "a\nb\nc\n"
    with pytest.raises(DamagedPaper, match=r"^a.txt: more than 3 lines; split it"):
        whole_text(source("a\nb\nc\n\n", "a.txt"))
    with pytest.raises(DamagedPaper, match=r"^a.json, line 1: more than 3 lines"):
        list(annif.read(source('{"text": "a\\n\\n\\n\\nb"}', "a.json")))


def test_files_beyond_a_size_are_refused():
    assert whole_text(source("abc", "a.txt"), max_bytes=3) == "abc"
    with pytest.raises(DamagedPaper, match=r"^a.txt: longer than 0 MiB; split it"):
        whole_text(source("abcd", "a.txt"), max_bytes=3)
