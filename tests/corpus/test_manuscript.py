from futex.corpus.manuscript import Manuscript

LONG = "one two three four five six seven eight nine ten"


def collected(*headings, top_level=1):
    manuscript = Manuscript(top_level)
    for level, title in headings:
        manuscript.heading(level, title)
        manuscript.paragraph(f"{title} {LONG}")
    return manuscript


def paths(unit, path=()):
    for child in unit.children:
        yield from [path] if child.text else paths(child, (*path, child.heading))


def test_parts_of_the_abstract_belong_to_it():
    manuscript = collected((1, "Abstract"), (2, "Aim"), (1, "Methods"))
    assert manuscript.abstract == f"Abstract {LONG} Aim {LONG}"
    assert list(paths(manuscript.body())) == [("Methods",)]


def test_there_is_one_abstract():
    assert collected((1, "Abstract:"), (1, "ABSTRACT")).abstract == f"Abstract: {LONG}"


def test_what_is_no_text_of_the_paper_is_left_out():
    manuscript = collected(
        (3, "Methods"), (3, "Acknowledgments"), (3, "References"), (3, "Proofs"), (4, "Of it"), top_level=3
    )
    assert list(paths(manuscript.body())) == [("Methods",), ("Proofs",), ("Proofs", "Of it")]
