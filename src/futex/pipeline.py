"""FuTex, Algorithm 1 of the paper: `FuTex().fit(papers, labels).rank(papers)`."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from futex import model_folder
from futex.candidates import Finder, Within
from futex.config import DEFAULT, Recipe
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.labels.label import LabelSpace
from futex.modules import Modules
from futex.naming.counts import Counts
from futex.naming.factors import ALL_FACTORS
from futex.naming.ranker import NameRanker
from futex.naming.transfer import TRANSFERRED
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm
from futex.plm.names import local_folder
from futex.plm.protocol import PLM, TrainablePLM
from futex.ranking import Ranking
from futex.self_training.relabelling import SelfTraining
from futex.self_training.tfidf import WordCounts, count_words

Finding = Counts | Ranking
"""What is found in a paper by itself: how it names labels, if the recipe scores names, else its ranked candidates."""


Part = TypeVar("Part")


class Method(Protocol):
    """What a recipe ranks with: the paper's modules (`Modules`), or the names of labels (`NameRanker`)."""

    @property
    def matcher(self) -> Finder: ...

    @property
    def tuned_plm(self) -> CachedPLM | None: ...

    @property
    def paragraph_plm(self) -> PLM | None: ...

    @property
    def self_training(self) -> SelfTraining | None: ...

    def fine_tune(self, papers: Sequence[Paper]) -> int | None: ...

    def look(self, papers: Sequence[Paper]) -> Sequence[Finding]: ...

    def learn(self, findings: Iterable[Any], words: Iterable[WordCounts]) -> None: ...

    def conclude(self, papers: Sequence[Paper], findings: Sequence[Any]) -> Mapping[str, Ranking]: ...

    def number_that_apply(self, ranking: Ranking) -> int | None: ...

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path) -> None: ...


class FuTex:
    """Ranks the labels of a label space for full-text papers, without one labelled example.

    `recipe` is filled in as things get decided (the pooling a checkpoint declares, the number of triples), so that
    after `fit` it says what was done; another `fit` decides anew.
    """

    def __init__(self, recipe: Recipe = DEFAULT, *, plm: TrainablePLM | None = None, cache: Path | None = None) -> None:
        self.cache = cache
        self.plm_is_named = plm is None and local_folder(recipe.plm) is None
        base = plm or load_plm(recipe.plm, cache, pooling=recipe.pooling, max_length=recipe.max_length, later=True)
        self.plm = CachedPLM(base, cache)
        self._wanted = self.recipe = recipe.but(pooling=base.pooling)
        self._labels: LabelSpace | None = None
        self._method: Method | None = None

    def fit(self, papers: Sequence[Paper], labels: LabelSpace) -> "FuTex":
        """Learn from the papers what the recipe wants: how rare each name is (`best`), or, with the modules of the
        paper, a Cross-Encoder from their links and a classifier from their own pseudo labels (`paper`)."""
        self.fit_rank(papers, labels)
        return self

    def fit_rank(self, papers: Sequence[Paper], labels: LabelSpace) -> Mapping[str, Ranking]:
        """Algorithm 1: `fit`, and the final rankings of the same papers."""
        self.use_labels(labels)
        self.fine_tune(papers)
        return self.learn_rank(papers)

    def use_labels(self, labels: LabelSpace, factors: Collection[str] = ALL_FACTORS) -> None:
        """What depends on the labels alone; `factors` are those of a recipe that scores names."""
        recipe = self._wanted
        self._labels = labels
        if recipe.scores_names:
            plm = None if recipe.plm == "none" else self.plm
            self._method = NameRanker(labels, plm, factors, TRANSFERRED if recipe.scoring == "transfer" else None)
        else:
            self._method = Modules(labels, self.plm, recipe, self.cache)

    @property
    def method(self) -> Method:
        """What the recipe ranks with, once there are labels to rank."""
        return _fitted(self._method)

    @property
    def labels(self) -> LabelSpace:
        """Those that it ranks."""
        return _fitted(self._labels)

    def fine_tune(self, papers: Sequence[Paper]) -> None:
        """Network-aware contrastive fine-tuning (§3.1), where the recipe wants it."""
        triples = self.method.fine_tune(papers)
        self.recipe = self._wanted.but(network=triples is not None, triples=triples)

    def learn_rank(self, papers: Sequence[Paper]) -> Mapping[str, Ranking]:
        """All that follows fine-tuning; a run over shards (`sharded/`) takes the same steps, a shard at a time."""
        findings = self.look(papers)
        self.learn(findings, count_words(paper.full_text() for paper in papers))
        return self.conclude(papers, findings)

    def look(self, papers: Sequence[Paper]) -> Sequence[Finding]:
        """What can be told of each paper by itself: how it names labels, or the ranking of its candidates (Eq. 9)."""
        if twice := [id for id, times in Counter(paper.id for paper in papers).items() if times > 1]:
            raise InputError(f"{twice[0]!r} is the id of several papers: give each paper an id of its own")
        return self.method.look(papers)

    def learn(self, findings: Iterable[Finding], words: Iterable[WordCounts]) -> None:
        """What only a whole corpus tells: how rare each name is, or a classifier of full texts (§3.3)."""
        self.method.learn(findings, words)

    def conclude(self, papers: Sequence[Paper], findings: Sequence[Finding]) -> Mapping[str, Ranking]:
        """The final ranking of each paper, from what was found in it and what was learnt."""
        return self.method.conclude(papers, findings)

    def rank(self, papers: Sequence[Paper]) -> Mapping[str, Ranking]:
        """The final ranking of each paper, which need not be one of those the model was fitted on."""
        return self.conclude(papers, self.look(papers))

    def adapt(self, papers: Sequence[Paper], reviewed: Mapping[str, Collection[str]]) -> None:
        """Learn from those papers whose labels were reviewed, by their ids; only for a recipe that scores names."""
        if not isinstance(self.method, NameRanker):
            raise InputError("only a model of --recipe best or transfer can be adapted: run it with one of them first")
        seen = [paper for paper in papers if paper.id in reviewed]
        if not seen:
            raise InputError("none of the reviewed papers is among these papers: check that both use the same ids")
        self.method.adapt(seen, reviewed)

    def number_that_apply(self, ranking: Ranking) -> int | None:
        """How many of a paper's labels to take, from the best; None where scores are no probabilities."""
        return self.method.number_that_apply(ranking)

    def plms(self) -> Iterator[CachedPLM]:
        """The PLM, and the Cross-Encoder that was made of it."""
        yield self.plm
        if self.tuned_plm is not None:
            yield self.tuned_plm

    @property
    def tuned_plm(self) -> CachedPLM | None:
        """The fine-tuned Cross-Encoder, if there is one."""
        return self.method.tuned_plm

    @property
    def matcher(self) -> Finder:
        """Finds names of labels in a text."""
        return self.method.matcher

    @property
    def match_within(self) -> Within:
        """Where names are looked for: in title and abstract, or in the full text."""
        return self.recipe.match_within

    @property
    def paragraph_plm(self) -> PLM | None:
        """Compares paragraphs with labels; None where nothing does."""
        return self.method.paragraph_plm

    @property
    def self_training(self) -> SelfTraining | None:
        """The classifier of full texts (§3.3), if the recipe has one."""
        return self.method.self_training

    def save_pretrained(self, folder: Path | str) -> None:
        """Write the fitted model to a folder of JSON, safetensors and npz files."""
        model_folder.save(self, Path(folder))

    @classmethod
    def from_pretrained(cls, folder: Path | str, *, cache: Path | None = None) -> "FuTex":
        """A model that was saved, after checking that every file of it is whole."""
        return model_folder.load(cls, Path(folder), cache)


def _fitted(part: Part | None) -> Part:
    if part is None:
        raise InputError("fit the model first, or load one with from_pretrained")
    return part
