"""FuTex, Algorithm 1 of the paper: `FuTex().fit(papers, labels).rank(papers)`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from futex import model_folder
from futex.candidates import Finder, Matcher, Within, retrieve
from futex.config import DEFAULT, Recipe
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.hierarchy.bi_encoder import BiEncoder
from futex.hierarchy.fusion import mrr
from futex.labels.label import LabelSpace
from futex.naming.counts import Counts
from futex.naming.factors import ALL_FACTORS
from futex.naming.matcher import LongestMatcher
from futex.naming.probability import number_that_apply
from futex.naming.ranker import NameRanker
from futex.network.contrastive import tune_on_links
from futex.network.cross_encoder import CrossEncoder
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm, local_folder
from futex.plm.protocol import PLM, TrainablePLM
from futex.ranking import Ranker, Ranking
from futex.self_training.parabel import Parabel
from futex.self_training.relabelling import SelfTraining
from futex.self_training.tfidf import TfIdf, WordCounts, count_words

Finding = Counts | Ranking
"""What is found in a paper by itself: how it names labels, if the recipe scores names, else its ranked candidates."""


class FuTex:
    """Ranks the labels of a label space for full-text papers, without one labelled example.

    `recipe` is filled in as things get decided (the pooling a checkpoint declares, the number of triples), so that
    after `fit` it says what was done.
    """

    def __init__(self, recipe: Recipe = DEFAULT, *, plm: TrainablePLM | None = None, cache: Path | None = None) -> None:
        self.cache = cache
        self.plm_is_named = plm is None and local_folder(recipe.plm) is None
        self.base_plm = plm or load_plm(recipe.plm, cache, pooling=recipe.pooling, max_length=recipe.max_length)
        self.recipe = recipe.but(pooling=self.base_plm.pooling)
        self.plm = CachedPLM(self.base_plm, cache)
        self.tuned_plm: CachedPLM | None = None

    def fit(self, papers: Sequence[Paper], labels: LabelSpace) -> "FuTex":
        """Fine-tune the PLM on linked papers and train the classifier on the papers' own pseudo labels."""
        self.fit_rank(papers, labels)
        return self

    def fit_rank(self, papers: Sequence[Paper], labels: LabelSpace) -> Mapping[str, Ranking]:
        """Algorithm 1: `fit`, and the final rankings of the same papers."""
        self.use_labels(labels)
        self.fine_tune(papers)
        return self.learn_rank(papers)

    def fine_tune(self, papers: Sequence[Paper]) -> None:
        """Network-aware contrastive fine-tuning (§3.1), where the recipe wants it."""
        if self.recipe.network:
            self.tuned_plm = self._fine_tuned(papers)

    def learn_rank(self, papers: Sequence[Paper]) -> Mapping[str, Ranking]:
        """All that follows fine-tuning; a run over shards (`sharded/`) takes the same steps, a shard at a time."""
        findings = self.look(papers)
        self.learn(findings, count_words(paper.full_text() for paper in papers))
        return self.conclude(papers, findings)

    def look(self, papers: Sequence[Paper]) -> Sequence[Finding]:
        """What can be told of each paper by itself: how it names labels, or the ranking of its candidates (Eq. 9)."""
        if self.recipe.scoring == "names":
            return self.names.count(papers)
        return list(self.rank_candidates(papers).values())

    def learn(self, findings: Iterable[Finding], words: Iterable[WordCounts]) -> None:
        """What only a whole corpus tells: how rare each name is, or a classifier of full texts (§3.3)."""
        if self.recipe.scoring == "names":
            self.names.learn(cast(Iterable[Counts], findings))
        elif self.recipe.self_training:
            self.self_training.learn(words, cast(Iterable[Ranking], findings))

    def conclude(self, papers: Sequence[Paper], findings: Sequence[Finding]) -> Mapping[str, Ranking]:
        """The final ranking of each paper, from what was found in it and what was learnt."""
        if self.recipe.scoring == "names":
            return self.names.rank_counted(papers, cast(Sequence[Counts], findings))
        initial = {paper.id: cast(Ranking, ranking) for paper, ranking in zip(papers, findings, strict=True)}
        return self.self_training.relabel(papers, initial) if self.recipe.self_training else initial

    def use_labels(self, labels: LabelSpace, factors: Collection[str] = ALL_FACTORS) -> None:
        """What depends on the labels alone; `factors` are those of a recipe that scores names."""
        recipe = self.recipe
        self.labels = labels
        self.matcher: Finder
        if recipe.scoring == "names":
            self.matcher = LongestMatcher(labels)
            self.names = NameRanker(labels, self.matcher, None if recipe.plm == "none" else self.plm, factors)
        else:
            self.matcher = Matcher(labels)
        self.self_training = SelfTraining(
            labels,
            pseudo_labels=recipe.pseudo_labels,
            vectorizer=TfIdf(recipe.min_papers_per_word),
            classifier=Parabel(recipe.trees, recipe.leaf_labels, recipe.beam, recipe.seed),
        )

    def rank(self, papers: Sequence[Paper]) -> Mapping[str, Ranking]:
        """The final ranking of each paper, which need not be one of those the model was fitted on."""
        return self.conclude(papers, self.look(papers))

    def adapt(self, papers: Sequence[Paper], reviewed: Mapping[str, Collection[str]]) -> None:
        """Learn from papers whose labels were reviewed, by their ids; only for a recipe that scores names."""
        if self.recipe.scoring != "names":
            raise InputError("only a model of --recipe best can be adapted: run it with that recipe first")
        if not papers:
            raise InputError("none of the reviewed papers is among these papers: check that both use the same ids")
        self.names.adapt(papers, reviewed)

    def rank_candidates(self, papers: Sequence[Paper]) -> Mapping[str, Ranking]:
        """The candidates C(d), ranked by each module and fused by mean reciprocal rank (Eq. 9)."""
        candidates = retrieve(papers, self.matcher, self.recipe.match_within)
        rankings = [ranker.rank(papers, candidates) for ranker in self._rankers()]
        return {paper.id: mrr([ranking[paper.id] for ranking in rankings]) for paper in papers}

    def _rankers(self) -> Iterator[Ranker]:
        """score_X on the abstract (untuned: score_B on it, as in FuTex-NoNetwork), and score_B on the whole tree."""
        if self.tuned_plm is not None:
            yield CrossEncoder(self.tuned_plm, self.labels)
        else:
            yield BiEncoder(self.plm, self.labels, "abstract")
        if self.recipe.hierarchy:
            yield BiEncoder(self.bi_encoder_plm, self.labels, "full")

    def leave_no_trace(self) -> None:
        """For a service: from now on the cache is read but not written, so that strangers fill no disk."""
        self.plm = self.plm.borrowing()
        self.tuned_plm = self.tuned_plm and self.tuned_plm.borrowing()
        if self.recipe.scoring == "names" and self.names.plm is not None:
            self.names.plm = self.plm

    def number_that_apply(self, ranking: Ranking) -> int | None:
        """How many of a paper's labels to take, from the best; None where scores are no probabilities."""
        return number_that_apply(ranking) if self.recipe.scoring == "names" else None

    @property
    def match_within(self) -> Within:
        """Where names are looked for: in title and abstract, or in the full text."""
        return self.recipe.match_within

    @property
    def paragraph_plm(self) -> PLM | None:
        """Compares paragraphs with labels; without the hierarchy module nothing does."""
        return self.bi_encoder_plm if self.recipe.hierarchy and self.recipe.plm != "none" else None

    @property
    def bi_encoder_plm(self) -> PLM:
        tuned = self.tuned_plm if self.recipe.bi_encoder == "fine-tuned" else None
        return tuned or self.plm

    def save_pretrained(self, folder: Path | str) -> None:
        """Write the fitted model to a folder of JSON, safetensors and npz files."""
        model_folder.save(self, Path(folder))

    @classmethod
    def from_pretrained(cls, folder: Path | str, *, cache: Path | None = None) -> "FuTex":
        """A model that was saved, after checking that every file of it is whole."""
        return model_folder.load(cls, Path(folder), cache)

    def _fine_tuned(self, papers: Sequence[Paper]) -> CachedPLM | None:
        recipe = self.recipe
        tuned = tune_on_links(
            self.base_plm,
            papers,
            metapath=recipe.metapath,
            triples=recipe.triples,
            min_linked_papers=recipe.min_linked_papers,
            seed=recipe.seed,
            cache=self.cache,
        )
        self.recipe = recipe.but(network=tuned is not None, triples=tuned and tuned.triples)
        return tuned and CachedPLM(tuned.plm, self.cache)
