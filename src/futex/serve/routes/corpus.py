"""A corpus as a whole: which labels it has, how it covers the taxonomy, and a map of its papers."""

import numpy as np
from anyio import to_thread
from fastapi import APIRouter, Response

from futex.serve import projection
from futex.serve.corpus import Corpus
from futex.serve.coverage import LABELS_PER_PAPER, Coverage
from futex.serve.listing import CONFIDENT, trust_in
from futex.serve.problems import may_answer
from futex.serve.routes.parts import Behind, LabelId, Limit, Offset, ProjectId, path_names, rendered
from futex.serve.routes.taxonomy import children
from futex.serve.schemas import Branch, Branches, CorpusSummary, LabelFrequencies, LabelFrequency, PaperMap, Point
from futex.serve.taxonomy import Taxonomy

router = APIRouter(prefix="/api/projects/{project_id}/corpus", tags=["Corpus"], responses=may_answer(404, 422, 503))


@router.get("", summary="The corpus in numbers")
def summary(project_id: ProjectId, behind: Behind) -> CorpusSummary:
    reviewed = behind.reviewed_project(project_id)
    corpus = reviewed.corpus
    trust = trust_in(corpus, reviewed.confidences, None)
    opinions = behind.project(project_id).feedback.by_paper()
    return CorpusSummary(
        papers=len(corpus),
        labels=len(corpus.space),
        labels_used=reviewed.coverage.used,
        labels_per_paper=LABELS_PER_PAPER,
        confident=CONFIDENT,
        papers_without_confident_label=int((trust < CONFIDENT).sum()),
        papers_reviewed=sum(paper in corpus.position for paper in opinions),
        has_texts=corpus.texts is not None,
    )


@router.get("/labels", summary="How many papers each label has")
def labels(project_id: ProjectId, behind: Behind, offset: Offset = 0, limit: Limit = 100) -> LabelFrequencies:
    reviewed = behind.reviewed_project(project_id)
    space, coverage = reviewed.corpus.space, reviewed.coverage
    shown = [
        LabelFrequency(id=space.ids[label], name=space[space.ids[label]].name, papers=int(coverage.papers[label]))
        for label in coverage.most_frequent[offset : offset + limit]
    ]
    return LabelFrequencies(total=coverage.used, labels=shown)


@router.get("/branches", summary="How the papers cover the branches below a label, or the top ones, largest first")
def branches(
    project_id: ProjectId, behind: Behind, under: LabelId | None = None, offset: Offset = 0, limit: Limit = 100
) -> Branches:
    reviewed = behind.reviewed_project(project_id)
    taxonomy, coverage = behind.loaded_project(project_id).taxonomy, reviewed.coverage
    below = np.array([taxonomy.labels.position[label] for label in children(taxonomy, under)], dtype=np.int64)
    largest = below[np.lexsort((-coverage.branch_papers[below], -coverage.branch_labels[below]))]
    shown = [_branch(taxonomy, coverage, at) for at in largest[offset : offset + limit].tolist()]
    path = path_names(taxonomy.labels, under) if under else []
    return Branches(path=path, total=len(below), branches=shown)


def _branch(taxonomy: Taxonomy, coverage: Coverage, at: int) -> Branch:
    label = taxonomy.labels.ids[at]
    return Branch(
        id=label,
        name=taxonomy.labels[label].name,
        labels=int(coverage.branch_labels[at]),
        labels_used=int(coverage.branch_used[at]),
        papers=int(coverage.branch_papers[at]),
        narrower=len(taxonomy.narrower.get(label, ())),
    )


@router.get(
    "/map",
    summary="A map of the papers",
    response_model=PaperMap,
    description="Made when it is first asked for, which takes a while; ask again until it is `ready`.",
)
async def paper_map(project_id: ProjectId, behind: Behind) -> Response:
    made, corpus = behind.map_of(project_id), behind.reviewed_project(project_id).corpus
    return await rendered(await to_thread.run_sync(_shown, made, corpus))


def _shown(made: projection.PaperMap, corpus: Corpus) -> PaperMap:
    if made.points is None:
        return PaperMap(state="computing", done=made.done, total=len(made.papers), points=[])
    points = [
        Point(
            paper=corpus.ids[paper],
            title=corpus.title(paper),
            x=round(float(x), 5),
            y=round(float(y), 5),
            label=next(iter(corpus.ranking(paper).labels), None),
        )
        for paper, (x, y) in zip(made.papers, made.points, strict=True)
    ]
    return PaperMap(state="ready", done=len(points), total=len(points), points=points)
