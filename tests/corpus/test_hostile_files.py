"""Folders and archives from strangers: nothing hangs, fills the memory or leads astray, and what is good is read."""

import gzip
import io
import lzma
import os
import socket
import struct
import tarfile

import pytest
import zstandard
from corpus.paper_files import article, ids, make, packed, record, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus import archives, content, reading, sources, streams
from futex.corpus.reading import read_documents
from futex.corpus.sources import open_sources
from futex.errors import InputError


def read(where, **options):
    """The ids that were found, and the messages about what was skipped."""
    skipped = []
    return ids(where, on_skip=skipped.append, **options), skipped


# --- folders


def test_pipes_sockets_and_devices_in_a_folder_are_never_opened(tmp_path):
    make(tmp_path, a_xml=article("a"))
    os.mkfifo(tmp_path / "b.xml")
    (tmp_path / "c.xml").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "d.xml"))
        assert read(tmp_path) == (["a"], [])
        assert read(tmp_path / "*.xml") == (["a"], [])


def test_links_that_go_round_in_circles(tmp_path):
    make(tmp_path, papers__a_xml=article("a"))
    for name in ("one", "two", "three"):
        (tmp_path / "papers" / name).symlink_to(tmp_path)
    (tmp_path / "papers" / "itself.xml").symlink_to("itself.xml")
    for where in (tmp_path, tmp_path / "**", tmp_path / "**" / "*.xml"):
        found, skipped = read(where)
        assert found == ["a"]
        assert len(skipped) == 1
        assert "itself.xml" in skipped[0]


def test_links_to_nowhere_are_named(tmp_path):
    make(tmp_path, a_xml=article("a"))
    (tmp_path / "lost.xml").symlink_to("nowhere")
    assert read(tmp_path) == (["a"], [f"no such file: {tmp_path}/lost.xml"])


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_read_is_named(tmp_path):
    make(tmp_path, a_xml=article("a"), b_xml=article("b"), c__c_xml=article("c"))
    (tmp_path / "b.xml").chmod(0)
    (tmp_path / "c").chmod(0)
    found, skipped = read(tmp_path)
    (tmp_path / "c").chmod(0o700)
    assert (found, len(skipped)) == (["a"], 2)


def test_names_that_would_garble_a_terminal_are_shown_harmlessly(tmp_path):
    (tmp_path / "z.zip").write_bytes(zipped([("\x1b[2J\nevil.xml", b"<article>")]))
    (tmp_path / os.fsdecode(b"\x1b[2Jevil\n\xff.xml")).write_bytes(b"<article>")
    (tmp_path / "t.tar").write_bytes(packed([("\x1b[2J\nevil.xml", b"<article>")]))
    found, skipped = read(tmp_path)
    assert (found, len(skipped)) == ([], 3)
    assert all(message.isprintable() for message in skipped)


def test_a_file_name_outside_the_encoding_can_be_an_id(tmp_path):
    (tmp_path / os.fsdecode(b"p\xff.xml")).write_bytes(b"<article><front/><body/></article>")
    assert ids(tmp_path) == ["p\ufffd"]


# --- archives


def test_names_of_members_lead_nowhere(tmp_path):
    names = ["../up.xml", "/absolute.xml", "a/../../b.xml", "C:\\c.xml", "..\\d.xml", "e.xml/"]
    files = [(name, article(str(i))) for i, name in enumerate(names[:5])]
    make(tmp_path / "in", z_zip=zipped(files))
    make(tmp_path / "in", t_tar=packed(files))
    before = sorted(tmp_path.rglob("*"))
    assert ids(tmp_path / "in" / "z.zip") == ids(tmp_path / "in" / "t.tar") == list("01234")
    assert sorted(tmp_path.rglob("*")) == before


def test_archives_inside_archives_are_not_opened(tmp_path):
    inner = packed([("a.xml", article("a"))])
    files = [("inner.tar", inner), ("inner.tar.gz", gzip.compress(inner)), ("good.xml", article("good"))]
    for name, pack in (("z", zipped), ("t", packed)):
        (tmp_path / name).write_bytes(pack(files))
        found, skipped = read(tmp_path / name)
        assert found == ["good"]
        assert [message.split("; ")[1] for message in skipped] == ["unpack the outer one"] * 2


@pytest.mark.parametrize("workers", [1, 2])
def test_a_damaged_member_is_skipped_and_those_around_it_are_read(tmp_path, workers):
    content = bytearray(zipped([("a.xml", article("a")), ("b.xml", article("b") * 50), ("c.xml", article("c"))]))
    start = content.index(b"b.xml") + 5
    content[start : start + 8] = b"\xff" * 8
    (tmp_path / "z.zip").write_bytes(content)
    found, skipped = read(tmp_path / "z.zip", workers=workers)
    assert found == ["a", "c"]
    assert len(skipped) == 1
    assert f"{tmp_path}/z.zip:b.xml" in skipped[0]


def test_a_member_without_a_name(tmp_path):
    content = zipped([("a.xml", article("a")), ("nameless.xml", article("b"))])
    (tmp_path / "z.zip").write_bytes(content.replace(b"nameless.xml", b"\0ameless.xml"))
    found, skipped = read(tmp_path / "z.zip")
    assert found[0] == "a"
    assert len(found) + len(skipped) == 2


def test_members_that_overlap_are_refused(tmp_path):
    content = zipped([("a.xml", article("a") * 50)])
    start, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    counts = struct.pack("<HHI", 9, 9, 9 * (end - start))
    (tmp_path / "z.zip").write_bytes(
        content[:start] + content[start:end] * 9 + content[end : end + 8] + counts + content[end + 16 :]
    )
    with pytest.raises(InputError, match="its members overlap"):
        read(tmp_path / "z.zip")


def test_an_encrypted_member_is_skipped(tmp_path):
    content = bytearray(zipped([("a.xml", article("a")), ("b.xml", article("b"))]))
    local, central = content.index(b"PK\x03\x04"), content.index(b"PK\x01\x02")
    content[local + 6] |= 1
    content[central + 8] |= 1
    (tmp_path / "z.zip").write_bytes(content)
    found, skipped = read(tmp_path / "z.zip")
    assert found == ["b"]
    assert "encrypted" in skipped[0]


def truncated_tar():
    return packed([("b.xml", article("b")), ("c.xml", article("c") * 100)])[:2000]


def test_a_damaged_archive_in_a_folder_is_skipped_but_one_that_was_named_is_an_error(tmp_path):
    make(tmp_path, a_xml=article("a"), b_tar=truncated_tar(), c_zip=b"PK\x03\x04 not really", d_xml=article("d"))
    (tmp_path / "e.xml.gz").write_bytes(gzip.compress(article("e"))[:20])
    found, skipped = read(tmp_path)
    assert found == ["a", "b", "d"]
    assert [name for name in ("b.tar", "c.zip", "e.xml.gz") if not any(name in message for message in skipped)] == []
    for name in ("b.tar", "c.zip", "e.xml.gz"):
        with pytest.raises(InputError, match=name):
            read(tmp_path / name)


@pytest.mark.parametrize("workers", [1, 2])
def test_strict_makes_every_damage_an_error(tmp_path, workers):
    folder = make(tmp_path / "in", a_xml=article("a"), b_xml=b"<article>", c_xml=article("c"))
    with pytest.raises(InputError, match=r"b\.xml"):
        ids(folder, strict=True, workers=workers)
    for name, pack in (("z", zipped), ("t", packed)):
        (tmp_path / name).write_bytes(pack([("b.xml", b"<article>")]))
        with pytest.raises(InputError, match=r"b\.xml"):
            ids(tmp_path / name, strict=True, workers=workers)


def test_the_number_of_members_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_MEMBERS", 2)
    (tmp_path / "t").write_bytes(packed([(f"{i}.xml", article(i)) for i in range(3)]))
    with pytest.raises(InputError, match="more than 2 files"):
        ids(tmp_path / "t")
    monkeypatch.setattr(archives, "MAX_CONTENTS", 100)
    (tmp_path / "z").write_bytes(zipped([(f"{i}.xml", article(i)) for i in range(3)]))
    with pytest.raises(InputError, match="table of contents is longer"):
        ids(tmp_path / "z")


# --- bombs


PACKED = {
    "a.xml.gz": lambda content: gzip.compress(content, 1),
    "a.xml.xz": lambda content: lzma.compress(content, preset=0),
    "a.xml.zst": zstandard.compress,
    "a.zip": lambda content: zipped([("a.xml", content)]),
    "a.tar.zst": lambda content: zstandard.compress(packed([("a.xml", content)])),
}


@pytest.mark.parametrize("name", PACKED)
def test_no_more_is_unpacked_than_the_longest_paper_may_have(tmp_path, monkeypatch, name):
    monkeypatch.setattr(content, "MAX_BYTES", 10**6)
    monkeypatch.setattr(reading, "MAX_BYTES", 10**6)
    (tmp_path / name).write_bytes(PACKED[name](b"<article><front>" + b" " * 20_000_000))
    make(tmp_path, b_xml=article("b"))
    taken = 0
    readinto = streams._Filling.readinto

    def counting(self, buffer):
        nonlocal taken
        count = readinto(self, buffer)
        taken += count
        return count

    with monkeypatch.context() as patch:
        patch.setattr(streams._Filling, "readinto", counting)
        found, skipped = read(tmp_path, workers=1)
    assert found == ["b"]
    assert "longer than" in skipped[0]
    if "tar" not in name:  # the rest of a member must be passed over to reach the next
        assert taken < 3 * 10**6
    assert read(tmp_path, workers=2)[0] == ["b"]


def test_a_kilobyte_of_zstd_does_not_unpack_at_once():
    small = zstandard.compress(bytes(2**28))
    assert len(small) < 2**16
    stream = streams.decompressed(io.BytesIO(small))
    assert stream.peek(1)[:1] == b"\0"
    pending = stream.raw._source._pending
    assert len(pending) <= 2**26


# --- anything at all


def survives(path):
    message = ""
    try:
        assert all(document.paper.id for document in read_documents(str(path), workers=1, on_skip=lambda _: None))
    except InputError as error:
        message = str(error)
    assert "\n" not in message


ARCHIVES = [
    zipped([("a.xml", article("a")), ("sub/b.jsonl", record("b"))]),
    packed([("a.xml", article("a")), ("b" * 120, record("b"))], tarfile.GNU_FORMAT),
    gzip.compress(packed([("a.xml", article("a"))])),
    lzma.compress(packed([("a.xml", article("a"))])),
    zstandard.compress(packed([("a.xml", article("a"))])),
]


@settings(max_examples=200)
@given(st.sampled_from(ARCHIVES), st.data())
def test_mutated_archives_end_well(tmp_path_factory, archive, data):
    content = bytearray(archive[: data.draw(st.integers(len(archive) // 2, len(archive)))])
    for _ in range(data.draw(st.integers(0, 5))):
        start = data.draw(st.integers(0, len(content)))
        content[start : start + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(content)
    survives(path)


@given(st.sampled_from([b"PK\x03\x04", b"\x1f\x8b", b"BZh9", streams.XZ, streams.ZSTD, b""]), st.binary(max_size=300))
def test_random_bytes_end_well(tmp_path_factory, magic, content):
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(magic + content)
    survives(path)


def test_a_zip_file_whose_names_are_not_in_their_encoding(tmp_path):
    content = zipped([("é.xml", article("a"))]).replace("é.xml".encode(), b"\xff\xff.xml")
    (tmp_path / "z").write_bytes(content)
    with pytest.raises(InputError, match="not a readable zip file"):
        read(tmp_path / "z")


def test_a_zip64_table_of_contents_that_lies(tmp_path):
    content = zipped([("a.xml", article("a"))])
    end = content.rindex(b"PK\x05\x06")
    lie = struct.pack("<I", 0xFFFFFF00)
    (tmp_path / "z").write_bytes(content[: end + 12] + lie + content[end + 16 :])
    with pytest.raises(InputError, match="not a readable zip file"):
        read(tmp_path / "z")


def test_sources_are_closed_when_no_one_wants_more(tmp_path):
    make(tmp_path, a_xml=article("a"), z_zip=zipped([("b.xml", article("b"))]))
    found = open_sources(str(tmp_path), lambda error: None)
    stream = next(found).stream
    found.close()
    assert stream.closed
