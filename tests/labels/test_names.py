import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.labels import names
from futex.labels.names import Words, normal_form, variants

NORMAL_FORMS = {
    "case": {"Heart DISEASE": "heart disease", "Straße": "strasse", "ΣΊΣΥΦΟΣ": normal_form("σίσυφος")},
    "white space": {"  heart \n\t disease ": "heart disease", "heart\u00a0disease": "heart disease", "": "", " ": ""},
    "composed accents": {"Sjögren": "sjogren", "Ménière": "meniere", "Ångström": "angstrom", "İ": "i"},
    "decomposed accents": {"Sjo\u0308gren": "sjogren", "Me\u0301nie\u0300re": "meniere", "a\u0323\u0302b": "ab"},
    "letters that only look like accents": {"が": "が", "か": "か", "हिन्दी": "हिन्दी"},
    "invisible": {"hyper\u00adtension": "hypertension", "heart\u200b": "heart", "\ufeffheart": "heart"},
    "compatibility": {"ﬁbrosis": "fibrosis", "Ｈｅａｒｔ": "heart", "CO₂": "co2", "Type Ⅱ": "type ii", "ｶﾞ": "ガ"},
    "several words in one": {"½": "1 2", "ﷺ": "صلى الله عليه وسلم"},
    "nothing left": {"\ufe7c": "", "heart \ufe7c disease": "heart disease", "heart, \ufe7c disease": "heart | disease"},
    "Greek letters": {
        "β-cell": "beta cell",
        "Β": "beta",
        "ϐ": "beta",
        "ς": "sigma",
        "Ά": "alpha",
        "µm": "mu m",
        "TNFα": "tnf alpha",
        "TNF-α": "tnf alpha",
        "NF-κB": "nf kappa b",
        "ΔF508": "delta f508",
        "γδ T cells": "gamma delta t cells",
    },
    "Greek words": {"νους": "nuomicronupsilonsigma"},
    "signs that separate": {
        "X-ray": "x ray",
        "dose–response": "dose response",
        "and/or": "and or",
        "a_b": "a b",
        "O'Brien": "o brien",
        "1,2-diol": "1 2 diol",
        "heart - lung": "heart lung",
        "R&D": "r d",
    },
    "possessives": {
        "Crohn's disease": "crohn disease",
        "Crohn’s disease": "crohn disease",
        "Crohnʼs disease": "crohn disease",
        "CROHN'S DISEASE": "crohn disease",
        "Graves' disease": "graves disease",
        "patients’ rights": "patients rights",
        "Crohn'st": "crohn st",
        "Crohn's\u0301": "crohn s",
        "'s Hertogenbosch": "s hertogenbosch",
        "5' end": "5 end",
    },
    "languages with signs": {
        "C++ code": "c++ code",
        "c#": "c#",
        "(C++)": "c++",
        "C++'s": "c++",
        "C++11": "c++ 11",
        "Ｃ＋＋": "c++",
        "Ca++": "ca",
        "C+": "c",
        "#C": "c",
    },
    "breaks": {
        "heart, lung": "heart | lung",
        "heart,lung": "heart lung",
        "the heart. The lung": "the heart | the lung",
        "D. melanogaster": "d | melanogaster",
        "factor (NF) is": "factor | nf | is",
        "the “heart” of": "the | heart | of",
        "heart \n.\n lung": "heart | lung",
        "heart，　lung": "heart | lung",
        "heart.– lung": "heart | lung",
        "(heart lung).": "heart lung",
        ", heart; ": "heart",
        "Crohn's, too": "crohn | too",
        "heart | lung": "heart | lung",
    },
}


@pytest.mark.parametrize(
    ("text", "expected"), [case for rule in NORMAL_FORMS.values() for case in rule.items()], ids=repr
)
def test_normal_form(text: str, expected: str) -> None:
    assert normal_form(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "Heart": ["heart"],
        "Abdomen, Acute": ["abdomen | acute", "acute abdomen", "abdomen acute"],
        "Receptors, Antigen, T-Cell": [
            "receptors | antigen | t cell",
            "t cell antigen receptors",
            "receptors antigen t cell",
        ],
        "Man (Modern), Early": ["man | modern | early", "early man | modern"],
        "1,2-Dimethylhydrazine": ["1 2 dimethylhydrazine"],
        "Boats, ships and trains": ["boats | ships and trains"],
        "Carts, boats, ships and trains": ["carts | boats | ships and trains"],
        "Boats, ships, and trains": ["boats | ships | and trains"],
        "Boats, ships, AND trains": ["boats | ships | and trains"],
        "Arts, or humanities, general": ["arts | or humanities | general"],
        "Wounds and Injuries, Old": [
            "wounds and injuries | old",
            "old wounds and injuries",
            "wounds and injuries old",
        ],
        "Oranges, Organic": ["oranges | organic", "organic oranges", "oranges organic"],
        "Heart, ": ["heart"],
        "Heart, Heart": ["heart | heart", "heart heart"],
        "": [],
        "–": [],
    }.items(),
    ids=repr,
)
def test_variants(name: str, expected: list[str]) -> None:
    assert list(variants(name)) == expected


@given(st.text())
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


@given(st.text(alphabet="abcSTéßøβω019 -,.'’+#"))
def test_case_does_not_matter(text: str) -> None:
    assert normal_form(text.upper()) == normal_form(text) == normal_form(text.lower())


@given(st.text())
def test_a_text_keeps_its_form_when_words_are_spaced_out(text: str) -> None:
    assert normal_form(f" {text}\n") == normal_form(text)


@given(st.text() | st.text(alphabet="aB é½α-,.'s+# "))
def test_spans_give_back_each_word(text: str) -> None:
    found = Words(text)
    ranges = [match.span() for match in re.finditer("[^ |]+", found.normal)]
    spans = list(found.spans(ranges))
    assert spans == sorted(spans)
    for (begin, stop), (start, end) in zip(ranges, spans, strict=True):
        assert 0 <= start < end <= len(text)
        assert found.normal[begin:stop] in normal_form(text[start:end]).split()


WORDS = ["a", "Bc", "12", "s", "C++", "C#", "aé", "e\u0301", "½", "TNFα", "\ufe7c"]
GAPS = [" ", "-", "  ", " - ", "--", "'s ", "’s-", "'", ", ", " (", ".", "\n", "–", "+", ""]


@given(st.text() | st.lists(st.sampled_from([word + gap for word in WORDS for gap in GAPS]), max_size=9).map("".join))
def test_stretches_of_plain_words_are_read_as_single_words_are(text: str) -> None:
    found, word_by_word = Words(text), names._read(f" {text} ")
    assert found.normal == word_by_word.normal.strip(" |")
    before = word_by_word.normal.index(found.normal)
    ranges = [(begin - before, begin - before + length) for begin, length, _, _ in word_by_word.places]
    assert list(found.spans(ranges)) == [(start - 1, end - 1) for _, _, start, end in word_by_word.places]


@given(st.lists(st.sampled_from(["β", "C++", "é", "cell", "a", "½"]), min_size=2, max_size=5), st.data())
def test_the_span_of_several_words_is_that_from_the_first_to_the_last(words: list[str], data: st.DataObject) -> None:
    text = "-".join(words)
    found = Words(text)
    own = [match.span() for match in re.finditer("[^ ]+", found.normal)]
    first = data.draw(st.integers(0, len(own) - 1))
    last = data.draw(st.integers(first, len(own) - 1))
    [(start, _), (_, end)] = found.spans([own[first], own[last]])
    assert list(found.spans([(own[first][0], own[last][1])])) == [(start, end)]


def test_endless_words_are_not_kept() -> None:
    seen = []
    kept = names.kept(lambda text: seen.append(text) or text.lower())
    for text in ("É" * names.MAX_KEPT, "É" * (names.MAX_KEPT + 1)) * 2:
        assert kept(text) == text.lower()
    assert list(map(len, seen)) == [names.MAX_KEPT, names.MAX_KEPT + 1, names.MAX_KEPT + 1]


def test_what_is_kept_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "MOST_KEPT", 3)
    kept = names._Kept(str.lower)
    for number in range(10):
        assert kept[f"É{number}"] == f"é{number}"
        assert len(kept) <= 3


def test_marks_without_end_are_cut_off() -> None:
    """To put n of them in order takes n² steps, in which nothing can interrupt it."""
    assert len(normal_form("か" + "\u3099" * 1000)) <= 31
    assert normal_form("e\u0301" * 40) == "e" * 40
