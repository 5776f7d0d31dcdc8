"""Labels of the FuTex research code (`MAGCS_label.json`) and of the MAPLE benchmark (`labels.txt`, `labels_mesh.txt`):

FuTex   {"label": id, "name": [name, synonym, …], "definition", "combined_text"}
MAPLE   id <tab> name <tab> depth                    fields of study
        id <tab> name <tab> synonym <tab> synonym …  MeSH
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.json_records import json_object, text_field, text_list
from futex.corpus.lines import byte_lines, text_of
from futex.corpus.paper import distinct, squeeze
from futex.corpus.tables import MAX_ROW
from futex.errors import InputError
from futex.labels.label import Label

NAME = "research"

_JSON = re.compile(rb'\s*+\{\s*+"label"\s*+:')
_TABLE = re.compile(rb"(?:\d{4,}|D\d{6,9})\t[^\t\n]")


def recognises(head: bytes, name: str = "") -> bool:
    """Ids of MAPLE are numbers, or those of MeSH."""
    return _JSON.match(head) is not None or _TABLE.match(head) is not None


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    for number, line in byte_lines(stream, name):
        where = f"{name}, line {number}"
        if len(line) > MAX_ROW:
            raise InputError(f"{where}: a label longer than {MAX_ROW >> 20} MiB; give it fewer names")
        yield _from_json(line, where) if line.lstrip().startswith(b"{") else _from_table(text_of(line, where), where)


def _from_json(line: bytes, where: str) -> Label:
    record = json_object(line, where)
    names = text_list(record, "name", where)
    return _label(text_field(record, "label", where), names, where, text_field(record, "definition", where))


def _from_table(line: str, where: str) -> Label:
    label_id, *names = line.rstrip("\r\n").split("\t")
    has_depth = len(names) == 2 and re.fullmatch(r"[0-9]", names[1])
    return _label(label_id, tuple(names[:1] if has_depth else names), where)


def _label(label_id: str, names: tuple[str, ...], where: str, definition: str = "") -> Label:
    label_id = label_id.strip()
    label_name, *synonyms = distinct(map(squeeze, names)) or [""]
    if not label_id or not label_name:
        raise InputError(f"{where}: a label needs an id and a name")
    return Label(label_id, label_name, tuple(synonyms), squeeze(definition))
