"""Why a paper has a label, to the letter: where names stand, what each paragraph says, what each section adds."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from futex import candidates
from futex.corpus.paper import Paper, Unit
from futex.evidence import retrieved
from futex.hierarchy.aggregation import cosine, leaf_weights
from futex.pipeline import FuTex
from futex.plm.protocol import PLM
from futex.ranking import Ranking
from futex.serve.schemas import Contributions, ExplainedLabel, IndicatedBy, LabelName, Mention, PaperText, Section, Word

MENTIONS, WORDS = 200, 8
"""Shown for a label at most."""


def modules_of(model: FuTex) -> int:
    """How many rankings are fused by Eq. (9); one that scores names fuses none."""
    return 2 if model.recipe.hierarchy and not model.recipe.scores_names else 1


def confidences(scores: NDArray[np.float64], model: FuTex) -> NDArray[np.float64]:
    """Scores as shares of the best there could be: each module adds at most 1 to Eq. (9)."""
    return np.clip(scores / modules_of(model), 0.0, 1.0).round(6)


def confidence(score: float, model: FuTex) -> float:
    return float(confidences(np.array(score), model))


def explain(model: FuTex, paper: Paper, ranking: Ranking, applying: int | None) -> list[ExplainedLabel]:
    """Every label of the ranking with its evidence; so many of them apply, if that is known."""
    found = candidates.mentions(paper, model.matcher, "full")
    matched = retrieved(paper, found, model.match_within)
    labels = [model.labels[label] for label in ranking.labels]
    plm = model.paragraph_plm if labels else None
    support = _Support(plm, paper, [label.text for label in labels]) if plm else None
    words = _telling_words(model, paper, [label for label in ranking.labels if label not in matched])
    return [
        ExplainedLabel(
            id=label.id,
            name=label.name,
            score=confidence(score, model),
            applies=None if applying is None else i < applying,
            source="matching" if label.id in matched else "self-training",
            indicated_by=_indicated_by(found.get(label.id, ())),
            path=[LabelName(id=above.id, name=above.name) for above in model.labels.path_to(label.id)],
            mentions=[_mention(mention) for mention in found.get(label.id, ())[:MENTIONS]],
            similarities=support.similarities(i) if support else [],
            contributions=support.contributions(i) if support else None,
            words=words.get(label.id, []),
        )
        for i, (label, score) in enumerate(zip(labels, ranking.scores, strict=True))
    ]


def text_of(paper: Paper) -> PaperText:
    """The paper as the page shows it."""
    return PaperText(
        id=paper.id,
        title=paper.title,
        abstract=paper.abstract,
        sections=_sections(paper.body),
        paragraphs=[place.text for place in paper.paragraphs()],
    )


class _Support:
    """The paragraphs of a paper as vectors, held against those of labels, which are known by number."""

    def __init__(self, plm: PLM, paper: Paper, labels: Sequence[str]) -> None:
        tree = paper.tree
        self._labels = plm.embed(labels)
        self._leaves = plm.embed([leaf.text for leaf in tree.leaves()])
        self._weights = np.array(leaf_weights(tree), dtype=np.float32)
        self._h_d = self._weights @ self._leaves
        self._before_body = int(bool(paper.title_and_abstract))
        self._sections = _sections(paper.body)

    def similarities(self, label: int) -> list[float]:
        """cos(h_p, h_l) of each paragraph of the body."""
        return _rounded(cosine(self._labels[label], self._leaves[self._before_body :]))

    def contributions(self, label: int) -> Contributions:
        """cos(h_d, h_l) taken apart: h_d = Σ_p w_p h_p, so p adds w_p h_p·h_l / (|h_d| |h_l|) to it."""
        h_l = self._labels[label]
        length = max(float(np.linalg.norm(self._h_d) * np.linalg.norm(h_l)), np.finfo(np.float32).tiny)
        added = self._weights * (self._leaves @ h_l) / length
        paragraphs = added[self._before_body :]
        sections = [paragraphs[part.first : part.first + part.count].sum() for part in self._sections]
        return Contributions(
            abstract=round(float(added[: self._before_body].sum()), 6),
            sections=_rounded(sections),
            paragraphs=_rounded(paragraphs),
        )


def _sections(body: Unit) -> list[Section]:
    """All sections below the body in reading order; the body itself is none."""
    found: list[Section] = []
    _add_sections(found, body, depth=0, parent=None, first=0)
    return found


def _add_sections(found: list[Section], unit: Unit, depth: int, parent: int | None, first: int) -> int:
    """Adds the sections inside a unit whose first paragraph has this number; returns how many paragraphs it has."""
    count = 0
    for child in unit.children:
        if child.text:
            count += 1
            continue
        here = Section(heading=child.heading, depth=depth + 1, parent=parent, first=first + count, count=0)
        found.append(here)
        here.count = _add_sections(found, child, depth + 1, len(found) - 1, here.first)
        count += here.count
    return count


def _indicated_by(mentions: Sequence[candidates.Mention]) -> IndicatedBy:
    if not mentions:
        return "neither"
    return "abstract" if any(mention.paragraph is None for mention in mentions) else "full-text"


def _mention(mention: candidates.Mention) -> Mention:
    field = "paragraph" if mention.paragraph is not None else mention.where[0]
    return Mention.model_validate(
        {
            "name": mention.name,
            "field": field,
            "paragraph": mention.paragraph,
            "start": mention.start,
            "end": mention.end,
        }
    )


def _telling_words(model: FuTex, paper: Paper, added: Sequence[str]) -> dict[str, list[Word]]:
    """What the classifier saw when it added these labels; it may know no others."""
    telling = model.self_training.telling_words(paper, added, WORDS) if model.self_training else []
    return {
        label: [Word(word=word, share=round(share, 4)) for word, share in words]
        for label, words in zip(added, telling, strict=False)
    }


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(float(number), 6) for number in numbers]
