"""Labels that indexers give to every paper to which they apply, however many those are.

Nearly every paper names "proteins", and hardly one is about them: what is common says little. Whom and what was studied
is another matter. A journal may ask for the organism of each paper, and the indexers of MeSH go through its check tags
with each: "Humans" is for any paper that involves a human being.

>>> is_routine(Label("D006801", "Humans")), is_routine(Label("D011506", "Proteins"))
(True, False)
"""

import re

from futex.labels.label import Label

TYPES = frozenset({"organism", "check tag"})
"""Types by which a vocabulary marks them itself."""

KEYWORD = "keyword"

CHECK_TAGS = {
    "D006801": "Humans",
    "D000818": "Animals",
    "D005260": "Female",
    "D008297": "Male",
    "D011247": "Pregnancy",
    "D007223": "Infant",
    "D002648": "Child",
    "D000293": "Adolescent",
    "D002417": "Cattle",
    "D004285": "Dogs",
    "D051379": "Mice",
    "D051381": "Rats",
    # No check tags in the strict sense, but the organisms of laboratories and farms, which are given in the same way:
    "D017360": "Arabidopsis",
    "D017173": "Caenorhabditis elegans",
    "D004331": "Drosophila melanogaster",
    "D004926": "Escherichia coli",
    "D008253": "Macaca mulatta",
    "D012441": "Saccharomyces cerevisiae",
    "D013552": "Swine",
    "D014982": "Xenopus laevis",
    "D015027": "Zebrafish",
}
"""Of MeSH. Adult, Middle Aged and Aged are not here: papers tell these ages in years, and write "adult mice". Nor are
Cats ("cat. no. 123"), nor Rabbits and others that make the antibodies of all kinds of papers."""

SIGNS = {
    "D006801": ("patients", "participants", "volunteers", "women", "men", "children"),
    "D000818": ("mice", "mouse", "rats", "zebrafish", "Drosophila", "monkeys", "macaques"),
    "D005260": ("women", "girls"),
    "D008297": ("men", "boys"),
}
"""Words that show a check tag without being its name: patients are humans, and whoever gives Mice gives Animals too."""

_MESH_ID = re.compile(r"(?:.*[:/#])?(D\d{6,9})")


def is_routine(label: Label) -> bool:
    """By its type, or by its id in MeSH. Keywords never are: authors choose them freely, whatever MeSH does."""
    return label.type in TYPES or (label.type != KEYWORD and _descriptor(label.id) in CHECK_TAGS)


def signs(label: Label) -> tuple[str, ...]:
    """Words besides the names of a label that is given by routine.

    >>> signs(Label("https://id.nlm.nih.gov/mesh/D005260", "Female"))
    ('women', 'girls')
    """
    return SIGNS.get(_descriptor(label.id), ()) if is_routine(label) else ()


def _descriptor(label_id: str) -> str:
    """MeSH's own id of it, as part of an address or behind a prefix; or nothing."""
    found = _MESH_ID.fullmatch(label_id)
    return found[1] if found else ""
