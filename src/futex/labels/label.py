"""Labels and the label space L (§2.2)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from futex.errors import InputError

MAX_DEPTH = 100
"""Labels one above the other; real taxonomies have some twenty."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label l: its name, other names, an optional description, and the ids of broader labels."""

    id: str
    name: str
    synonyms: tuple[str, ...] = ()
    description: str = ""
    broader: tuple[str, ...] = ()
    type: str = ""

    @property
    def text(self) -> str:
        """t_l of Eq. (4): "name. description".

        >>> Label("D1", "Calprotectin", description="A protein of neutrophils.").text
        'Calprotectin. A protein of neutrophils.'
        """
        return f"{self.name}. {self.description}" if self.description else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """The canonical name and every synonym: any of them makes l a candidate (§4.1)."""
        return (self.name, *self.synonyms)


class LabelSpace(Mapping[str, Label]):
    """L: labels by id, in the order they were given."""

    def __init__(self, labels: Iterable[Label]) -> None:
        self._labels: dict[str, Label] = {}
        for label in labels:
            if label.id in self._labels:
                raise InputError(f"two labels share the id {label.id!r}: make ids unique")
            self._labels[label.id] = label
        if not self._labels:
            raise InputError("the label space is empty: give at least one label")

    def __getitem__(self, label_id: str) -> Label:
        return self._labels[label_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._labels)

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Where each label stands in `ids`."""
        return {label_id: i for i, label_id in enumerate(self._labels)}

    def path_to(self, label_id: str) -> tuple[Label, ...]:
        """From a top label down to this one, along the first broader label each time; a circle ends it, and so do
        `MAX_DEPTH` labels."""
        path: list[Label] = []
        seen: set[str] = set()
        step: str | None = label_id
        while step in self._labels and step not in seen and len(path) < MAX_DEPTH:
            seen.add(step)
            path.append(self._labels[step])
            step = self._above[step]
        return tuple(reversed(path))

    @cached_property
    def _above(self) -> Mapping[str, str | None]:
        """The first broader label of each that is there."""
        return {label.id: next((b for b in label.broader if b in self._labels), None) for label in self.values()}
