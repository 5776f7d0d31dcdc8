"""The predictions of a run in the order of a language model's grades, shard by shard, when all else is done."""

from collections.abc import Iterator

from futex.evaluation.predictions import Prediction
from futex.labels.store import read_labels
from futex.pipeline import FuTex
from futex.progress import task
from futex.ranking import Ranking
from futex.reranking.reranker import Reranker
from futex.sharded.papers import read_shard
from futex.sharded.plan import Plan
from futex.sharded.stages import Predict


def in_new_order(found: Predict, plan: Plan, reranker: Reranker, top: int) -> Iterator[Prediction]:
    """Labels and their evidence move; scores, and whether they mean that a label applies, belong to the places.

    The language model may lift a label from below the `top` that are written.
    """
    names = FuTex(plan.recipe.but(plm="none"))
    names.use_labels(read_labels(plan.run.labels, "jsonl"))
    with task("Asking the language model", total=sum(plan.sizes)) as advance:
        for number in range(plan.shards):
            records = {record["paper"]: record for record in found.of(number)}
            papers = [paper for paper in read_shard(plan.run.papers, number) if paper.id in records]
            rankings = {paper: _ranking(record) for paper, record in records.items()}
            for paper, ranking in reranker.rerank(papers, rankings, names.labels, names.matcher):
                yield _moved(records[paper], ranking, top)
                advance(1, str(reranker.spending))
    reranker.report()


def _ranking(record: Prediction) -> Ranking:
    labels = record["labels"]
    return Ranking(tuple(label["id"] for label in labels), tuple(label["score"] for label in labels))


def _moved(record: Prediction, ranking: Ranking, top: int) -> Prediction:
    moving = {label["id"]: label for label in record["labels"]}
    places = [{name: label[name] for name in ("score", "applies") if name in label} for label in record["labels"]]
    labels = [moving[label] | place for label, place in zip(ranking.labels, places, strict=True)]
    return record | {"labels": labels[:top]}
