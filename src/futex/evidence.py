"""Why a label: the names that were found and where, the paragraphs that support it, the words that weighed most."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import tee
from typing import Any, Protocol

import numpy as np

from futex.candidates import Finder, Mention, Within, mentions
from futex.corpus.paper import Paper
from futex.evaluation.predictions import Prediction
from futex.excerpts import around, beginning
from futex.hierarchy.aggregation import cosine
from futex.labels.label import LabelSpace
from futex.plm.protocol import PLM
from futex.processes import on_all_cores
from futex.progress import task
from futex.ranking import Ranking
from futex.self_training.relabelling import SelfTraining

NAMES, PARAGRAPHS, WORDS = 3, 2, 5
"""How many pieces of each kind are shown for a label."""

CONTEXT = 60
"""Characters shown on either side of a name."""

EXCERPT = 240

PAPERS_AT_ONCE = 8

Mentions = Mapping[str, tuple[Mention, ...]]
"""Where the names of each label stand, by label id."""

Reasons = dict[str, list[dict[str, Any]]]
"""Pieces of evidence by label id."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A label for a paper, with its reasons, ready to be written as JSON."""

    id: str
    name: str
    score: float
    source: str
    evidence: tuple[dict[str, Any], ...]
    applies: bool | None = None
    """Whether it is above the cut-off of its paper; None where scores are no probabilities, so that nobody can say."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in a prediction."""
        known = {} if self.applies is None else {"applies": self.applies}
        return {
            "id": self.id,
            "name": self.name,
            "score": round(self.score, 6),
            **known,
            "source": self.source,
            "evidence": list(self.evidence),
        }


class Explained(Protocol):
    """What can be explained: a fitted FuTex, or a baseline, which has less to tell."""

    @property
    def labels(self) -> LabelSpace: ...

    @property
    def matcher(self) -> Finder: ...

    @property
    def match_within(self) -> Within: ...

    @property
    def paragraph_plm(self) -> PLM | None:
        """Compares paragraphs with labels; None where nothing does."""
        ...

    @property
    def self_training(self) -> SelfTraining | None: ...

    def number_that_apply(self, ranking: Ranking) -> int | None:
        """How many of the labels apply, from the best; None where scores are no probabilities."""
        ...


class Explainer:
    """Turns the rankings of a fitted model into suggestions with evidence."""

    def __init__(self, model: Explained) -> None:
        self._model = model

    def all_suggestions(
        self, papers: Iterable[Paper], rankings: Mapping[str, Ranking], top: int
    ) -> Iterator[tuple[Paper, list[Suggestion]]]:
        """`suggestions` for many papers, whose names are looked for on all cores."""
        ahead, papers = tee(papers)
        found = on_all_cores(partial(_mentions_in_all, matcher=self._model.matcher), ahead, batch=PAPERS_AT_ONCE)
        for paper, names in zip(papers, found, strict=True):
            yield paper, self._suggestions(paper, names, rankings[paper.id], top)

    def suggestions(self, paper: Paper, ranking: Ranking, top: int) -> list[Suggestion]:
        """The best `top` labels of a paper, each with its evidence."""
        return self._suggestions(paper, mentions(paper, self._model.matcher, "full"), ranking, top)

    def _suggestions(self, paper: Paper, names: Mentions, ranking: Ranking, top: int) -> list[Suggestion]:
        model, shown = self._model, ranking.top(top)
        applying = model.number_that_apply(ranking)
        found = retrieved(paper, names, model.match_within)
        added = [label for label in shown.labels if label not in found]
        reasons: Reasons = {label: [] for label in shown.labels}
        self._add_names(reasons, paper, names)
        self._add_paragraphs(reasons, paper)
        self._add_words(reasons, paper, added)
        return [
            Suggestion(
                id=label,
                name=model.labels[label].name,
                score=score,
                source="matching" if label in found else "self-training" if model.self_training else "classifier",
                evidence=tuple(reasons[label]),
                applies=None if applying is None else rank < applying,
            )
            for rank, (label, score) in enumerate(shown)
        ]

    def _add_names(self, reasons: Reasons, paper: Paper, names: Mentions) -> None:
        """The first mentions of any name of the label, in title, abstract and text."""
        paragraphs = [place.text for place in paper.paragraphs()]
        for label, pieces in reasons.items():
            for mention in names.get(label, ())[:NAMES]:
                excerpt = around(_text_of(mention, paper, paragraphs), mention.start, mention.end, CONTEXT)
                pieces.append({"kind": "name", "name": mention.name, "where": list(mention.where), "text": excerpt})

    def _add_paragraphs(self, reasons: Reasons, paper: Paper) -> None:
        """The paragraphs p with the highest cos(h_p, h_l)."""
        plm, places = self._model.paragraph_plm, list(paper.paragraphs())
        if plm is None or not places or not reasons:
            return
        h_p = plm.embed([place.text for place in places])
        h_l = plm.embed([self._model.labels[label].text for label in reasons])
        for pieces, vector in zip(reasons.values(), h_l, strict=True):
            similarity = cosine(vector, h_p)
            for i in np.argsort(-similarity, kind="stable")[:PARAGRAPHS]:
                pieces.append(
                    {
                        "kind": "paragraph",
                        "where": list(places[i].path),
                        "similarity": round(float(similarity[i]), 4),
                        "text": beginning(places[i].text, EXCERPT),
                    }
                )

    def _add_words(self, reasons: Reasons, paper: Paper, labels: list[str]) -> None:
        """What self-training saw in the paper when it added a label."""
        training = self._model.self_training
        telling = training.telling_words(paper, labels, WORDS) if training else [[] for _ in labels]
        for label, words in zip(labels, telling, strict=True):
            if words:
                shares = [{"word": word, "share": round(share, 4)} for word, share in words]
                reasons[label].append({"kind": "words", "words": shares})


def predictions(
    model: Explained, papers: Sequence[Paper], rankings: Mapping[str, Ranking], top: int
) -> Iterator[Prediction]:
    """One a paper, with evidence."""
    with task("Gathering evidence", total=len(papers)) as advance:
        for paper, suggestions in Explainer(model).all_suggestions(papers, rankings, top):
            yield prediction(paper, suggestions)
            advance(1)


def prediction(paper: Paper, suggestions: Iterable[Suggestion]) -> Prediction:
    """A line of predictions.jsonl."""
    return {"paper": paper.id, "labels": [suggestion.as_dict() for suggestion in suggestions]}


def _mentions_in_all(papers: list[Paper], matcher: Finder) -> list[Mentions]:
    return [mentions(paper, matcher, "full") for paper in papers]


def retrieved(paper: Paper, names: Mentions, within: Within) -> Container[str]:
    """C(d), told from the mentions in the whole paper (see `candidates.mentions`)."""
    if within == "full" or not paper.abstract:
        return names
    return {label for label, found in names.items() if any(mention.paragraph is None for mention in found)}


def _text_of(mention: Mention, paper: Paper, paragraphs: Sequence[str]) -> str:
    if mention.paragraph is not None:
        return paragraphs[mention.paragraph]
    return paper.title if mention.where == ("title",) else paper.abstract
