"""Names within the names of other labels, as a plain search would find them."""

from hypothesis import given
from hypothesis import strategies as st

from futex.labels.label import Label, LabelSpace
from futex.naming.generality import names_around


def around(*names: str) -> list[int]:
    return names_around(LabelSpace([Label(str(number), name) for number, name in enumerate(names)])).tolist()


def test_only_whole_words_count_in_singular_or_plural():
    assert around("cell", "Cellulose", "B Cells", "Cells, Cultured") == [2, 0, 0, 0]


def test_an_inverted_name_counts_once_and_not_in_itself():
    assert around("Receptors", "Receptors, Interleukin-1", "Interleukin-1") == [1, 0, 1]


def test_labels_of_the_same_name_are_not_within_each_other():
    assert around("lung", "Lungs") == [0, 0]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(" ".join), min_size=1))
def test_against_a_plain_search(names: list[str]):
    expected = [sum(f" {name} " in f" {other} " and name != other for other in names) for name in names]
    assert around(*names) == expected
