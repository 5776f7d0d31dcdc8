"""Labels that are given however common they are."""

import pytest

from futex.labels.label import Label
from futex.labels.routine import CHECK_TAGS, SIGNS, is_routine, signs


@pytest.mark.parametrize("label_id", ["D006801", "mesh:D006801", "https://id.nlm.nih.gov/mesh/D006801"])
def test_check_tags_are_known_by_the_id_that_mesh_gives_them(label_id):
    label = Label(label_id, "Humans")
    assert is_routine(label)
    assert "patients" in signs(label)


@pytest.mark.parametrize("label_id", ["mesh:D011506", "Humans", "D0068011", "XD006801", "D006801-x", "kw:humans"])
def test_other_ids_mean_nothing(label_id):
    label = Label(label_id, "Humans")
    assert not is_routine(label)
    assert signs(label) == ()


def test_a_vocabulary_may_mark_its_own():
    assert is_routine(Label("m", "Mouse", type="organism"))


def test_a_keyword_that_happens_to_be_a_check_tag_is_a_keyword():
    """Authors who may choose any word choose "animals" for a paper about them, and not by routine."""
    label = Label("mesh:D000818", "animals", type="keyword")
    assert not is_routine(label)
    assert signs(label) == ()


def test_every_sign_belongs_to_a_check_tag():
    assert SIGNS.keys() <= CHECK_TAGS.keys()
