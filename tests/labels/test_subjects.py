"""Subject terms of many articles as one label space."""

from futex.corpus.document import Subjects
from futex.labels.subjects import SubjectTerms


def test_terms_that_differ_in_capitals_only_are_one():
    """As in a thesaurus that changed its way of writing over the years."""
    terms = SubjectTerms("both")
    own = [
        terms.add(Subjects(paths=(("Biology", "Gene Expression"),))),
        terms.add(Subjects(paths=(("Genetics", "Gene expression"),), keywords=("biology", "AIDS"))),
        terms.add(Subjects(keywords=("aids",))),
    ]
    assert own == [{"Gene Expression"}, {"Gene Expression", "Biology", "AIDS"}, {"aids"}]
    space = terms.label_space()
    assert list(space) == ["Biology", "Gene Expression", "Genetics", "AIDS", "aids"]
    assert space["Gene Expression"].broader == ("Biology", "Genetics")


def test_a_term_is_not_broader_than_itself():
    terms = SubjectTerms()
    terms.add(Subjects(paths=(("Public Health", "Public health"),)))
    assert terms.label_space()["Public Health"].broader == ()
