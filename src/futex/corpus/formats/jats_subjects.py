"""The subject terms and keywords that a publisher gave a JATS article."""

import re

from futex.corpus.formats.xml import Element, outermost, text
from futex.corpus.paper import distinct

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
MAX_LEVELS = 20
"""From the broadest to the narrowest term; every narrower one holds all that are above it."""

_ARTICLE_TYPE = re.compile(r"heading|channel|article.?type|^(type|section|category)$", re.IGNORECASE)


def subject_paths(meta: Element) -> tuple[tuple[str, ...], ...]:
    """From the broadest to the narrowest term, without groups that tell the type of the article."""
    groups = list(meta.iterfind("article-categories/subj-group"))
    has_channel = any("channel" in _kind(group) for group in groups)
    topical = (group for group in groups if _is_topical(_kind(group), has_channel))
    return tuple(dict.fromkeys(path for group in topical for path in _paths(group)))


def _kind(group: Element) -> str:
    return str(group.get("subj-group-type", ""))


def _is_topical(kind: str, has_channel: bool) -> bool:
    """A heading of the table of contents is "Research Article", except where (as in eLife) a channel says that."""
    return not _ARTICLE_TYPE.search(kind) or (kind == "heading" and has_channel)


def _paths(group: Element, broader: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """One path a narrowest subject. Groups inside a group of several subjects narrow the last of them."""
    subjects = filter(None, map(text, group.iterchildren("subject")))
    paths = [(*broader, *_terms(subject, group))[:MAX_LEVELS] for subject in subjects]
    last = paths[-1] if paths else broader
    narrower = [path for inner in group.iterchildren("subj-group") for path in _paths(inner, last)]
    return paths[:-1] + narrower if narrower else paths


def _terms(subject: str, group: Element) -> list[str]:
    """PLOS wrote "Virology/Diagnosis" before it nested groups."""
    return [term for term in map(str.strip, subject.split("/")) if term] if _kind(group) == "Discipline" else [subject]


def keywords(meta: Element, language: str) -> tuple[str, ...]:
    """Those in the language of the article, if it has them in several."""
    groups = [group for group in meta.iterfind("kwd-group") if not _lists_abbreviations(group)]
    groups = [group for group in groups if is_in(group, language)] or groups
    found = (text(keyword) for group in groups for keyword in outermost(group, "kwd", "compound-kwd"))
    return tuple(distinct(found))


def _lists_abbreviations(group: Element) -> bool:
    return "abbr" in f"{group.get('kwd-group-type', '')} {text(group.find('title'))}".lower()


def is_in(element: Element, language: str) -> bool:
    """Whether it is in this language ("en" and "en-GB" are the same), or does not say in which."""
    own = str(element.get(LANGUAGE, language))
    return own[:2].lower() == language[:2].lower()
