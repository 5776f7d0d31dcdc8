import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.errors import InputError
from futex.labels.formats import research
from futex.labels.label import Label


def read(content, name="labels"):
    return list(research.read(io.BytesIO(content.encode() if isinstance(content, str) else content), name))


def test_labels_of_the_research_code():
    record = {
        "label": "D1",
        "name": ["calculi", "stones", "calculi"],
        "definition": "hard\nthings",
        "combined_text": "x",
    }
    assert read(json.dumps(record)) == [Label("D1", "calculi", synonyms=("stones",), description="hard things")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2780583484\tpapyrus\t2\n", Label("2780583484", "papyrus")),
        ("D000818\tAnimals\r\n", Label("D000818", "Animals")),
        ("D000818\tanimals\tanimalia\n", Label("D000818", "animals", synonyms=("animalia",))),
        ("D001824\tbody\tbodies\t2\n", Label("D001824", "body", synonyms=("bodies", "2"))),
    ],
)
def test_labels_of_maple(line, expected):
    assert research.recognises(line.encode())
    assert read(line) == [expected]


@pytest.mark.parametrize("line", ['{"label": "1", "name": []}', '{"label": "", "name": ["a"]}', "12345\t\n", "12345\n"])
def test_a_label_needs_an_id_and_a_name(line):
    with pytest.raises(InputError, match="labels, line 1: a label needs an id and a name"):
        read(line)


@pytest.mark.parametrize("line", ["D000818" + "\ta" * 600_000, f'{{"label": "1", "name": ["{"a" * 2**20}"]}}'])
def test_a_label_without_end_is_refused(line):
    with pytest.raises(InputError, match="labels, line 1: a label longer than 1 MiB"):
        read(line)


@pytest.mark.parametrize(
    "head", [b"<http://x.org/1>\tlabel\n", b'{"id": "1", "name": "a"}', b"", b"a\tb\n", b"uri,label_en"]
)
def test_does_not_recognise_other_files(head):
    assert not research.recognises(head)


@given(st.binary(max_size=100))
def test_anything_ends_in_labels_or_one_clear_line(content):
    assert research.recognises(content) in {True, False}
    try:
        found, message = read(content), ""
    except InputError as refused:
        found, message = [], str(refused)
    assert all(label.id and label.name for label in found)
    assert "\n" not in message
