import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from futex.errors import InputError
from futex.evaluation.gold import Gold

GOLD = Gold({"d2": ["B", "A"], "d1": ["A"], "d3": []})
LINES = b'{"id": "d2", "labels": ["A", "B"]}\n{"id": "d1", "labels": ["A"]}\n{"id": "d3", "labels": []}\n'
EXAMPLE = '{"id": "d1", "labels": ["l1", "l2"]}'


def written(folder: Path, content: bytes) -> Path:
    path = folder / "gold.jsonl"
    path.write_bytes(content)
    return path


def error_of(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        Gold.read(path)
    return str(caught.value)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    GOLD.write(path)
    assert path.read_bytes() == LINES
    assert Gold.read(path) == GOLD


def test_labels_are_written_sorted(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    Gold({"d": "HDBFACGE"}).write(path)
    assert path.read_text() == '{"id": "d", "labels": ["A", "B", "C", "D", "E", "F", "G", "H"]}\n'


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_written_compressed_as_the_extension_says(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"gold.jsonl{suffix}"
    GOLD.write(path)
    assert path.read_bytes() != LINES
    assert Gold.read(path) == GOLD


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, zstandard.compress])
def test_compressed_files_are_read(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    assert Gold.read(written(tmp_path, compress(LINES))) == GOLD


def test_blank_lines_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n\r\n"))
    assert Gold.read(path) == GOLD


def test_a_mapping_of_sets_that_outlives_its_source() -> None:
    source = {"d1": ["A", "A"]}
    gold = Gold(source)
    source["d1"].append("B")
    assert dict(gold) == {"d1": frozenset("A")}
    assert gold.get("d9") is None


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b'{"labels": ["A"]}', f'no "id"; write {EXAMPLE}'),
        (b'{"id": "", "labels": ["A"]}', f'no "id"; write {EXAMPLE}'),
        (b'{"id": "d1"}', f'no list of "labels"; write {EXAMPLE}'),
        (b'{"id": "d1", "labels": "A"}', f'no list of "labels"; write {EXAMPLE}'),
        (b'{"id": "d1", "labels": null}', f'no list of "labels"; write {EXAMPLE}'),
        (b'{"id": "d2", "labels": ["A"]}', "a second line for paper 'd2'; put all its labels on one line"),
    ],
)
def test_a_bad_line_is_named_with_its_cure(tmp_path: Path, line: bytes, wrong: str) -> None:
    path = written(tmp_path, b'{"id": "d2", "labels": ["A", "B"]}\n\n' + line + b"\n")
    assert error_of(path) == f"{path}, line 3: {wrong}"


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b'{"id": "d1", "labels": ["A"', "broken JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'"d1"', "a JSON object is needed"),
        (b'{"id": "d\xff", "labels": ["A"]}', "not UTF-8"),
        (b'{"id": 1, "labels": ["A"]}', '"id" must be text'),
        (b'{"id": "d1", "labels": ["A", 2]}', '"labels" must be a list of texts'),
    ],
)
def test_what_all_our_line_formats_refuse_is_refused_here(tmp_path: Path, line: bytes, wrong: str) -> None:
    path = written(tmp_path, line)
    message = error_of(path)
    assert message.startswith(f"{path}, line 1: {wrong}")
    assert "\n" not in message


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    assert error_of(path) == f"{path}: no papers; give one line a paper, like {EXAMPLE}"


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(LINES)[:-12])
    assert error_of(path).startswith(f"{path} is damaged")


def test_check_accepts_what_is_known_and_asks_nothing_unasked() -> None:
    GOLD.check()
    GOLD.check(papers=["d1", "d2", "d3", "d4"], labels={"A": 1, "B": 2})


def test_check_counts_unknown_papers_and_names_the_first() -> None:
    with pytest.raises(InputError) as caught:
        GOLD.check(papers=["d2"])
    assert str(caught.value) == (
        "gold: 2 of 3 papers not in the corpus, the first 'd1'; "
        "check that both use the same ids, and drop from gold what is not in the corpus (futex eval: --ignore-unknown)"
    )


def test_check_counts_unknown_labels_and_names_the_first() -> None:
    with pytest.raises(InputError) as caught:
        GOLD.check(papers=GOLD, labels=["A", "C"])
    assert str(caught.value) == (
        "gold: 1 of 2 labels not in the label space, the first 'B'; "
        "check that both use the same ids, and drop from gold what is not in the label space "
        "(futex eval: --ignore-unknown)"
    )
