"""Texts to token ids, each text of a call tokenised once, with the special tokens of the checkpoint put around them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from futex.plm.packed import Sequences


class _Frame(NamedTuple):
    """What a tokenizer puts before, between and after its texts, and the type ids of each stretch."""

    before: list[int]
    between: list[int]
    after: list[int]
    types: tuple[int, int]


class Tokens:
    """[CLS] text [SEP] and [CLS] a [SEP] b [SEP], whatever those tokens are called in the checkpoint."""

    def __init__(self, tokenizer: Any, max_length: int) -> None:
        self.max_length = max_length
        self._tokenizer = tokenizer
        self._single = _single_frame(tokenizer)
        self._pair = _pair_frame(tokenizer)

    def singles(self, texts: Sequence[str]) -> Sequences:
        """[CLS] text [SEP], cut to `max_length` tokens."""
        room = self.max_length - len(self._single.before) - len(self._single.after)
        encoded = self._tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=room)["input_ids"]
        return self.framed(encoded)

    def framed(self, encoded: Iterable[Sequence[int]]) -> Sequences:
        """[CLS] tokens [SEP] of texts that are tokens already."""
        frame = self._single
        ids = [frame.before + list(text) + frame.after for text in encoded]
        return Sequences(ids, [[frame.types[0]] * len(sequence) for sequence in ids])

    def pairs(self, pairs: Sequence[tuple[str, str]], each: int | None = None) -> Sequences:
        """[CLS] a [SEP] b [SEP]: cut to `max_length` in all, the longer text first, or each text to `each` tokens."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encoded = self._tokenizer(texts, add_special_tokens=False)["input_ids"] if texts else []
        bare = dict(zip(texts, encoded, strict=True))
        framed = [self._framed(*self._cut(bare[a], bare[b], each)) for a, b in pairs]
        return Sequences([ids for ids, _ in framed], [types for _, types in framed])

    def _cut(self, a: list[int], b: list[int], each: int | None) -> tuple[list[int], list[int]]:
        frame = self._pair
        if each is not None:
            each = min(each, self.max_length // 2)
            half = len(frame.between) // 2
            room_a = each - len(frame.before) - (len(frame.between) - half)
            return a[:room_a], b[: each - half - len(frame.after)]
        room = self.max_length - len(frame.before) - len(frame.between) - len(frame.after)
        half = room // 2 if len(a) <= len(b) else room - room // 2
        keep_a = len(a) if len(a) + len(b) <= room else min(len(a), max(half, room - len(b)))
        return a[:keep_a], b[: room - keep_a]

    def _framed(self, a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
        frame = self._pair
        first = [*frame.before, *a, *frame.between]
        second = [*b, *frame.after]
        return first + second, [frame.types[0]] * len(first) + [frame.types[1]] * len(second)


def _single_frame(tokenizer: Any) -> _Frame:
    probe = tokenizer("a", add_special_tokens=False)["input_ids"]
    ids = tokenizer("a")["input_ids"]
    at = _find(ids, probe)
    return _Frame(ids[:at], [], ids[at + len(probe) :], (0, 0))


def _pair_frame(tokenizer: Any) -> _Frame:
    a, b = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in "ab")
    encoded = tokenizer("a", "b")
    ids = encoded["input_ids"]
    types = encoded.get("token_type_ids") or [0] * len(ids)
    at_a = _find(ids, a)
    at_b = at_a + len(a) + _find(ids[at_a + len(a) :], b)
    return _Frame(ids[:at_a], ids[at_a + len(a) : at_b], ids[at_b + len(b) :], (types[at_a], types[at_b]))


def _find(ids: list[int], part: list[int]) -> int:
    return next(i for i in range(len(ids)) if ids[i : i + len(part)] == part)
