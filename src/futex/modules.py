"""The three modules of the paper: with the network (§3.1), over the tree (§3.2), by self-training (§3.3)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from futex.candidates import Matcher, retrieve
from futex.config import Recipe
from futex.corpus.paper import Paper
from futex.hierarchy.bi_encoder import BiEncoder
from futex.hierarchy.fusion import mrr
from futex.labels.label import LabelSpace
from futex.model_check import PLM_FOLDERS
from futex.network.contrastive import tune_on_links
from futex.network.cross_encoder import CrossEncoder
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_folder
from futex.plm.protocol import PLM
from futex.ranking import Ranker, Ranking
from futex.self_training.parabel import Parabel
from futex.self_training.relabelling import SelfTraining
from futex.self_training.tfidf import TfIdf, WordCounts

_, TUNED = PLM_FOLDERS


class Modules:
    """What Algorithm 1 does with papers; the recipe says which modules take part."""

    def __init__(self, labels: LabelSpace, plm: CachedPLM, recipe: Recipe, cache: Path | None) -> None:
        self.matcher = Matcher(labels)
        self.tuned_plm: CachedPLM | None = None
        self.self_training = _self_training(labels, recipe) if recipe.self_training else None
        self._labels, self._plm, self._recipe, self._cache = labels, plm, recipe, cache

    def fine_tune(self, papers: Sequence[Paper]) -> int | None:
        """Network-aware contrastive fine-tuning (§3.1); on how many triples, if on any."""
        recipe = self._recipe
        if not recipe.network:
            return None
        tuned = tune_on_links(
            self._plm.uncached,
            papers,
            metapath=recipe.metapath,
            triples=recipe.triples,
            min_linked_papers=recipe.min_linked_papers,
            seed=recipe.seed,
            cache=self._cache,
        )
        self.tuned_plm = tuned and CachedPLM(tuned.plm, self._cache)
        return tuned and tuned.triples

    def look(self, papers: Sequence[Paper]) -> list[Ranking]:
        """The candidates C(d), ranked by each module and fused by mean reciprocal rank (Eq. 9)."""
        candidates = retrieve(papers, self.matcher, self._recipe.match_within)
        rankings = [ranker.rank(papers, candidates) for ranker in self.rankers()]
        return [mrr([ranking[paper.id] for ranking in rankings]) for paper in papers]

    def rankers(self) -> Iterator[Ranker]:
        """score_X on the abstract (untuned: score_B on it, as in FuTex-NoNetwork), and score_B on the whole tree."""
        if self.tuned_plm is not None:
            yield CrossEncoder(self.tuned_plm, self._labels)
        else:
            yield BiEncoder(self._plm, self._labels, "abstract")
        if self.paragraph_plm is not None:
            yield BiEncoder(self.paragraph_plm, self._labels, "full")

    def learn(self, initial: Iterable[Ranking], words: Iterable[WordCounts]) -> None:
        """A classifier of full texts, from the best labels of each paper (§3.3)."""
        if self.self_training is not None:
            self.self_training.learn(words, initial)

    def conclude(self, papers: Sequence[Paper], initial: Sequence[Ranking]) -> Mapping[str, Ranking]:
        """The initial rankings, complemented by the classifier."""
        if self.self_training is not None:
            return self.self_training.relabel(papers, initial)
        return {paper.id: ranking for paper, ranking in zip(papers, initial, strict=True)}

    def number_that_apply(self, ranking: Ranking) -> None:
        """Nobody knows: scores order the labels of a paper, and no more."""

    @property
    def paragraph_plm(self) -> PLM | None:
        """Compares paragraphs with labels; without the hierarchy module nothing does."""
        if not self._recipe.hierarchy:
            return None
        tuned = self.tuned_plm if self._recipe.bi_encoder == "fine-tuned" else None
        return tuned or self._plm

    def save(self, folder: Path) -> None:
        if self.tuned_plm is not None:
            self.tuned_plm.uncached.save(folder / TUNED)
        if self.self_training is not None:
            self.self_training.save(folder)

    def load(self, folder: Path) -> None:
        if (folder / TUNED).is_dir():
            self.tuned_plm = CachedPLM(load_folder(folder / TUNED, self._cache), self._cache)
        if self.self_training is not None:
            self.self_training.load(folder)


def _self_training(labels: LabelSpace, recipe: Recipe) -> SelfTraining:
    return SelfTraining(
        labels,
        pseudo_labels=recipe.pseudo_labels,
        vectorizer=TfIdf(recipe.min_papers_per_word),
        classifier=Parabel(recipe.trees, recipe.leaf_labels, recipe.beam, recipe.seed),
    )
