"""A paper as it was found in a file, with the subject terms its publisher gave it kept apart.

Only `futex convert` looks at the terms (to make a label space and gold for evaluation); everything else takes the
`Paper` and cannot see them.
"""

from typing import NamedTuple

from futex.corpus.paper import Paper


class Subjects(NamedTuple):
    """Terms assigned to an article: paths from the broadest to the narrowest term, and flat keywords.

    Corpora that come with a vocabulary name its terms by their `ids` (URIs, MeSH numbers) only.
    """

    paths: tuple[tuple[str, ...], ...] = ()
    keywords: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class Document(NamedTuple):
    paper: Paper
    subjects: Subjects = Subjects()
