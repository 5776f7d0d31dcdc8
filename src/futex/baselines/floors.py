"""What any method has to beat: candidates in random order, and names weighed by tf-idf."""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from futex.baselines.setting import Setting, Text
from futex.candidates import Matcher, mentions
from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.ranking import Candidates, Ranker, Ranking


def shuffled(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    return Shuffled(setting.seed)


def lexical(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    return Lexical(labels, setting.text)


class Shuffled:
    """The candidates in random order, another one for every paper."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        return {paper.id: self._shuffled(paper.id, candidates) for paper in papers}

    def _shuffled(self, paper: str, candidates: Candidates) -> Ranking:
        order = random.Random(f"{self._seed} {paper}").sample(list(candidates[paper]), len(candidates[paper]))
        return Ranking(tuple(order), tuple(float(place) for place in range(len(order), 0, -1)))


class Lexical:
    """Candidates by tf(l, d) · ln(|D| / df(l)): how often a paper names the label, and how few papers do."""

    def __init__(self, labels: LabelSpace, text: Text) -> None:
        self._matcher = Matcher(labels)
        self._text = text

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        counts = {paper.id: self._counts(paper) for paper in papers}
        df = Counter(label for found in counts.values() for label in found)
        rankings = {}
        for paper, tf in counts.items():
            scores = {label: tf[label] * math.log(len(papers) / df[label]) for label in candidates[paper]}
            rankings[paper] = Ranking.of(scores)
        return rankings

    def _counts(self, paper: Paper) -> dict[str, int]:
        return {label: len(found) for label, found in mentions(paper, self._matcher, self._text).items()}
