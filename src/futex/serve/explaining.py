"""Why a paper has a label, to the letter: where names stand, what each paragraph says, what each section adds."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from futex import candidates
from futex.corpus.paper import Paper, Unit
from futex.evidence import retrieved
from futex.hierarchy.aggregation import cosine, leaf_weights
from futex.pipeline import FuTex
from futex.plm.protocol import PLM, Array
from futex.ranking import Ranking
from futex.serve.schemas import Contributions, ExplainedLabel, IndicatedBy, LabelName, Mention, PaperText, Section, Word

MENTIONS, WORDS = 200, 8
"""Shown for a label at most."""


def confidences(scores: NDArray[np.float64], model: FuTex) -> NDArray[np.float64]:
    """Fused scores as shares of the best there could be: each module adds at most 1 to Eq. (9)."""
    modules = 2 if model.recipe.hierarchy else 1
    return np.clip(scores / modules, 0.0, 1.0).round(6)


def confidence(score: float, model: FuTex) -> float:
    return float(confidences(np.array(score), model))


def explain(model: FuTex, paper: Paper, ranking: Ranking) -> list[ExplainedLabel]:
    """Every label of the ranking with its evidence."""
    found = candidates.mentions(paper, model.matcher, "full")
    matched = retrieved(paper, found, model.match_within)
    sections = _sections(paper.body)
    support = _Support(model.paragraph_plm, paper) if model.paragraph_plm else None
    labels = [model.labels[label] for label in ranking.labels]
    vectors = support.plm.embed([label.text for label in labels]) if support and labels else None
    words = _telling_words(model, paper, [label for label in ranking.labels if label not in matched])
    explained = []
    for i, (label, score) in enumerate(zip(labels, ranking.scores, strict=True)):
        mentions = found.get(label.id, ())
        explained.append(
            ExplainedLabel(
                id=label.id,
                name=label.name,
                score=confidence(score, model),
                source="matching" if label.id in matched else "self-training",
                indicated_by=_indicated_by(mentions),
                path=[LabelName(id=above.id, name=above.name) for above in model.labels.path_to(label.id)],
                mentions=[_mention(mention) for mention in mentions[:MENTIONS]],
                similarities=[] if support is None or vectors is None else support.similarities(vectors[i]),
                contributions=None if support is None or vectors is None else support.parts(vectors[i], sections),
                words=words.get(label.id, []),
            )
        )
    return explained


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
    """The paragraphs of a paper as vectors, to be held against labels."""

    def __init__(self, plm: PLM, paper: Paper) -> None:
        tree = paper.tree
        self.plm = plm
        self._leaves = plm.embed([leaf.text for leaf in tree.leaves()])
        self._weights = np.array(leaf_weights(tree), dtype=np.float32)
        self._before_body = int(bool(paper.title_and_abstract))

    def similarities(self, label: Array) -> list[float]:
        """cos(h_p, h_l) of each paragraph of the body."""
        return _rounded(cosine(label, self._leaves[self._before_body :]))

    def parts(self, label: Array, sections: Sequence[Section]) -> Contributions:
        """cos(h_d, h_l) taken apart: h_d = Σ_p w_p h_p, so p adds w_p h_p·h_l / (|h_d| |h_l|) to it."""
        h_d = self._weights @ self._leaves
        length = np.linalg.norm(h_d) * np.linalg.norm(label)
        added = self._weights * (self._leaves @ label) / max(float(length), np.finfo(np.float32).tiny)
        paragraphs = added[self._before_body :]
        return Contributions(
            abstract=round(float(added[: self._before_body].sum()), 6),
            sections=_rounded(np.array([paragraphs[s.first : s.first + s.count].sum() for s in sections])),
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
    telling = model.self_training.telling_words(paper, added, WORDS) if model.recipe.self_training else []
    return {
        label: [Word(word=word, share=round(share, 4)) for word, share in words]
        for label, words in zip(added, telling, strict=False)
    }


def _rounded(numbers: NDArray[np.floating]) -> list[float]:
    return [round(float(number), 6) for number in numbers]
