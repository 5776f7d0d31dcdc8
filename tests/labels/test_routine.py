"""Labels that are given however common they are."""

import pytest

from futex.labels.label import Label, LabelSpace
from futex.labels.routine import CHECK_TAGS, SIGNS, routine_labels, signs


@pytest.mark.parametrize("label_id", ["D006801", "mesh:D006801", "https://id.nlm.nih.gov/mesh/D006801"])
def test_check_tags_are_known_by_the_id_that_mesh_gives_them(label_id):
    label = Label(label_id, "Humans")
    assert routine_labels(LabelSpace([label, Label("mesh:D011506", "Proteins")])) == {label_id}
    assert "patients" in signs(label)


@pytest.mark.parametrize("label_id", ["Humans", "D0068011", "XD006801", "D006801-x", "kw:humans"])
def test_other_ids_mean_nothing(label_id):
    label = Label(label_id, "Humans")
    assert not routine_labels(LabelSpace([label]))
    assert signs(label) == ()


def test_a_vocabulary_that_marks_its_own_is_believed():
    """Here authors choose among keywords, and an editor asks for the organism: "animals" is a keyword like others."""
    space = LabelSpace([Label("m", "Mouse", type="organism"), Label("mesh:D000818", "animals", type="keyword")])
    assert routine_labels(space) == {"m"}


def test_every_sign_belongs_to_a_check_tag():
    assert SIGNS.keys() <= CHECK_TAGS.keys()
