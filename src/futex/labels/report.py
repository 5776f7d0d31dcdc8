"""What a label space is like, and which of its names will make trouble: shown before hours are spent on it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from futex.labels.label import LabelSpace
from futex.labels.names import normal_form, variants
from futex.labels.routine import is_routine

TOO_LONG = 30
"""Words: no paper writes a longer name out."""
TOO_FREQUENT = 0.2
"""Share of the papers: a name found in more of them tells little about any."""

_LIST = """
    a about above across after again against all almost alone along already also although always among an and another
    any are around as at away back be because been before behind below between both but by came can come could did
    do does done down during each either else enough even ever every few first for from further had has have having he
    hence her here high him his how however i if in instead into is it its itself just last least less like little low
    many may me might mine more most much must my near neither never new next no none nor not now of off often old on
    once one only onto or other others our out over own per perhaps rather same second seem she should since so some
    still such than that the their them then there these they third this those though three through thus to together too
    toward two under until up upon us use used using very via was we well were what when where whether which while who
    whole whom whose why will with within without would yes yet you your
"""
FUNCTION_WORDS = frozenset(_LIST.split())

Found = Mapping[str, Iterable[str]]
"""The labels that were found in a paper, each with its names as they are written there."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name and the labels it leads to."""

    name: str
    labels: tuple[str, ...]
    papers: float | None = None
    """The share of the papers in which it was found."""


@dataclass(frozen=True, slots=True)
class LabelReport:
    labels: int
    names: int
    with_description: int
    routine: int
    """Labels that are given however common they are."""
    top_labels: int
    depth: int
    """Labels on the longest way down from a top label."""
    missing_broader: tuple[str, ...]
    """Ids that are named as broader and are not there."""
    in_circles: tuple[str, ...]
    """Labels that are broader than themselves, over others."""
    never_matched: tuple[str, ...]
    """Labels none of whose names a text can have."""
    shared_names: tuple[Name, ...]
    everyday_names: tuple[Name, ...]
    papers: int | None = None
    labels_found: int | None = None
    frequent_names: tuple[Name, ...] | None = None


def report(space: LabelSpace, found: Sequence[Found] | None = None) -> LabelReport:
    """`found`: what was found in each paper of a corpus, if there is one."""
    names = _names_by_form(space)
    above = {label.id: {other for other in label.broader if other in space} for label in space.values()}
    circles = _circles(above)
    return LabelReport(
        labels=len(space),
        names=sum(len(label.names) for label in space.values()),
        with_description=sum(1 for label in space.values() if label.description),
        routine=sum(map(is_routine, space.values())),
        top_labels=sum(1 for broader in above.values() if not broader),
        depth=_depth(above),
        missing_broader=tuple(sorted({b for label in space.values() for b in label.broader if b not in space})),
        in_circles=tuple(label for label in space if label in circles),
        never_matched=tuple(label.id for label in space.values() if not any(map(_usable_forms, label.names))),
        shared_names=_distinct(name for name in names.values() if len(name.labels) > 1),
        everyday_names=_distinct(name for form, name in names.items() if is_everyday(form)),
        papers=None if found is None else len(found),
        labels_found=None if found is None else len(frozenset().union(*found)),
        frequent_names=None if found is None else _frequent(names, found),
    )


def is_everyday(form: str) -> bool:
    """Whether a name in normal form is made of words that stand in every text, or is too short to mean one thing.

    >>> [form for form in ("he", "as well as", "ph", "2019", "heart", "at risk") if is_everyday(form)]
    ['he', 'as well as', 'ph', '2019']
    """
    words = form.split()
    return all(word in FUNCTION_WORDS for word in words) or (len(words) == 1 and (len(form) <= 2 or form.isdigit()))


def _names_by_form(space: LabelSpace) -> dict[str, Name]:
    """The normal forms that are looked for; a name is shown as the first label writes it."""
    written: dict[str, str] = {}
    owners: dict[str, dict[str, None]] = {}
    for label in space.values():
        for name in label.names:
            for form in _usable_forms(name):
                written.setdefault(form, name)
                owners.setdefault(form, {})[label.id] = None
    return {form: Name(written[form], tuple(labels)) for form, labels in owners.items()}


def _usable_forms(name: str) -> list[str]:
    return [form for form in variants(name) if len(form.split()) <= TOO_LONG]


def _frequent(names: Mapping[str, Name], found: Sequence[Found]) -> tuple[Name, ...]:
    counts: Counter[str] = Counter()
    for labels in found:
        counts.update({normal_form(name) for written in labels.values() for name in written} & names.keys())
    return _distinct(
        replace(names[form], papers=count / len(found))
        for form, count in counts.most_common()
        if count > TOO_FREQUENT * len(found)
    )


def _distinct(names: Iterable[Name]) -> tuple[Name, ...]:
    """ "Abdomen, Acute" has three forms, but is one name."""
    return tuple({(name.name, name.labels): name for name in names}.values())


def _circles(above: Mapping[str, set[str]]) -> set[str]:
    """Labels from which a way up leads back to them."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    place = {label: number for number, label in enumerate(above)}
    ways = [(place[label], place[other]) for label, others in above.items() for other in others]
    narrower, broader = zip(*ways, strict=True) if ways else ((), ())
    graph = coo_array(([True] * len(ways), (narrower, broader)), shape=(len(above), len(above)))
    _, parts = connected_components(graph, connection="strong")
    sizes = Counter(parts)
    return {label for label, part in zip(above, parts, strict=True) if sizes[part] > 1 or label in above[label]}


def _depth(above: Mapping[str, set[str]]) -> int:
    """Take off the top labels, then those that are on top now, and so on: how often. Circles remain."""
    below: dict[str, set[str]] = {label: set() for label in above}
    for label, others in above.items():
        for other in others:
            below[other].add(label)
    waiting = {label: len(others) for label, others in above.items()}
    layer = [label for label, others in waiting.items() if not others]
    depth = 0
    while layer:
        depth += 1
        for label in layer:
            del waiting[label]
        for label in layer:
            for other in below[label]:
                waiting[other] -= 1
        layer = list(dict.fromkeys(other for label in layer for other in below[label] if not waiting[other]))
    return depth
