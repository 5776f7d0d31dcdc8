"""Our tar reader against Python's: the same names and contents for all that Python writes; for the rest one error."""

import io
import tarfile
from contextlib import suppress

import pytest
from corpus.paper_files import packed
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus.tar import TarError, is_tar, members

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0\n"), min_size=1, max_size=150).filter(
    lambda name: name.strip(". ") and not name.endswith(" ")
)
FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]


def unpacked(archive):
    return [(name, content.read()) for name, content in members(io.BytesIO(archive))]


@given(
    st.lists(st.tuples(NAMES, st.binary(max_size=1100)), max_size=4),
    st.sampled_from([tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]),
)
def test_reads_what_python_writes(files, format):
    assert unpacked(packed(files, format)) == files


def test_a_long_name_in_the_oldest_format_is_put_together():
    files = [("folder/" * 20 + "paper.xml", b"x")]
    assert unpacked(packed(files, tarfile.USTAR_FORMAT)) == files


@pytest.mark.parametrize("format", FORMATS)
def test_is_recognised_by_its_checksum(format):
    archive = packed([("a.xml", b"<article/>")], format)
    assert is_tar(archive)
    assert not is_tar(archive[:511])
    assert not is_tar(b"b" + archive[1:])
    assert not is_tar(bytes(512))


def test_contents_need_not_be_read():
    files = [("a", b"x" * 5000), ("b", b"y")]
    assert [name for name, _ in members(io.BytesIO(packed(files)))] == ["a", "b"]


def test_only_regular_files_are_members():
    kinds = [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE]
    archive = b"".join(packed([("special", b"")], type=kind, linkname="/etc/passwd")[:512] for kind in kinds)
    assert unpacked(archive + packed([("plain", b"x")])) == [("plain", b"x")]


def test_an_archive_may_lack_its_end():
    assert unpacked(packed([("a", b"x")])[:1024]) == [("a", b"x")]


def test_sizes_beyond_8_gib_are_read():
    huge = tarfile.TarInfo("huge")
    huge.size = 2**40
    name, content = next(members(io.BytesIO(huge.tobuf(tarfile.GNU_FORMAT) + b"start")))
    assert (name, content.read(5)) == ("huge", b"start")


@pytest.mark.parametrize("kind", [b"L", b"x", b"K", b"g"])
def test_headers_without_end_are_refused(kind):
    header = tarfile.TarInfo("name")
    header.type, header.size = kind, 10 * 2**30
    with pytest.raises(TarError, match="longer than 1 MiB"):
        unpacked(header.tobuf(tarfile.GNU_FORMAT) + bytes(10_000))


def test_sparse_files_are_refused():
    with pytest.raises(TarError, match="without --sparse"):
        unpacked(packed([("holes", b"")], type=tarfile.GNUTYPE_SPARSE))


def test_a_long_chain_of_headers_costs_no_stack():
    header = tarfile.TarInfo("name")
    header.type, header.size = b"L", 4
    link = header.tobuf() + b"long".ljust(512, b"\0")
    assert unpacked(link * 5000 + packed([("a", b"x")])) == [("long", b"x")]


@pytest.mark.parametrize(
    "records", [b"0 path=x\n", b"9999 path=x\n", b"nine path=x\n", b"9 path:x\n", b"9", b"\0" * 100]
)
def test_unreadable_attributes_are_refused(records):
    header = tarfile.TarInfo("name")
    header.type, header.size = b"x", len(records)
    with pytest.raises(TarError):
        unpacked(header.tobuf() + records.ljust(512, b"\0"))


VALID = packed([("a.xml", b"<article/>"), ("b" * 120, b"x" * 600)], tarfile.GNU_FORMAT) + packed([("ü" * 90, b"y")])


@settings(max_examples=300)
@given(st.data())
def test_damaged_archives_end_in_one_of_two_errors(data):
    archive = bytearray(VALID[: data.draw(st.integers(0, len(VALID)))])
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(archive)))
        archive[start : start + 8] = data.draw(st.binary(max_size=8))
    try:
        found = unpacked(bytes(archive))
    except (TarError, EOFError):
        return
    assert sum(len(content) for _, content in found) <= len(archive)


@given(st.binary(max_size=2000))
def test_random_bytes_end_in_one_of_two_errors(content):
    assert is_tar(content) in {True, False}
    with suppress(TarError, EOFError):
        unpacked(content)
