"""How much of our memory a vocabulary may take."""

from sys import getsizeof

from futex.errors import InputError
from futex.labels.label import Label

ALLOWANCE = 600 * 2**20
"""Bytes; two million names fit in, and MeSH has a quarter of a million."""
_AROUND_A_TEXT = 120
"""What lists, tuples and tables need to hold a text."""


class Allowance:
    """Counts what a reader keeps, so that a file made to fill the memory is refused in time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = ALLOWANCE

    def take(self, text: str) -> None:
        self._left -= getsizeof(text) + _AROUND_A_TEXT
        if self._left < 0:
            raise InputError(f"{self._name}: its names need more than {ALLOWANCE >> 20} MiB; give a part of it")

    def take_label(self, label: Label) -> None:
        for text in (label.id, *label.names, label.description, *label.broader, label.type):
            self.take(text)
