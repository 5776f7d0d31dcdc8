"""Search and browse the labels of a project."""

from typing import Annotated

from fastapi import APIRouter, Query

from futex.labels.label import LabelSpace
from futex.serve.problems import may_answer
from futex.serve.routes.parts import Behind, LabelId, Limit, Offset, ProjectId, known_label, path_names
from futex.serve.schemas import FoundLabel, LabelDetails, LabelMatches, LabelName, NarrowerLabel, NarrowerLabels
from futex.serve.taxonomy import Taxonomy

router = APIRouter(prefix="/api/projects/{project_id}/labels", tags=["Taxonomy"], responses=may_answer(404, 422, 503))


@router.get("/search", summary="Labels by the beginnings of the words of any of their names")
def search(
    project_id: ProjectId,
    behind: Behind,
    q: Annotated[str, Query(max_length=200, description="What was typed so far, or a label's id.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> LabelMatches:
    taxonomy = behind.loaded_project(project_id).taxonomy
    found = [
        FoundLabel(id=label.id, name=label.name, matched=name, path=path_names(taxonomy.labels, label.id))
        for label, name in taxonomy.search(q, limit)
    ]
    return LabelMatches(labels=found)


@router.get("/narrower", summary="The labels directly below one, or the top labels")
def narrower(
    project_id: ProjectId, behind: Behind, of: LabelId | None = None, offset: Offset = 0, limit: Limit = 100
) -> NarrowerLabels:
    taxonomy = behind.loaded_project(project_id).taxonomy
    below = children(taxonomy, of)
    shown = [
        NarrowerLabel(id=label, name=taxonomy.labels[label].name, narrower=len(taxonomy.narrower.get(label, ())))
        for label in below[offset : offset + limit]
    ]
    return NarrowerLabels(total=len(below), labels=shown)


@router.get("/one", summary="All about one label")
def one(project_id: ProjectId, behind: Behind, id: LabelId) -> LabelDetails:
    taxonomy = behind.loaded_project(project_id).taxonomy
    label = taxonomy.labels[known_label(taxonomy.labels, id)]
    return LabelDetails(
        id=label.id,
        name=label.name,
        synonyms=list(label.synonyms),
        description=label.description,
        path=path_names(taxonomy.labels, id),
        broader=_names(taxonomy.labels, label.broader),
        narrower=len(taxonomy.narrower.get(id, ())),
    )


def children(taxonomy: Taxonomy, label: str | None) -> tuple[str, ...]:
    """The labels below this one; without one, those at the top."""
    if label is None:
        return taxonomy.roots
    return tuple(taxonomy.narrower.get(known_label(taxonomy.labels, label), ()))


def _names(labels: LabelSpace, ids: tuple[str, ...]) -> list[LabelName]:
    return [LabelName(id=label, name=labels[label].name) for label in ids if label in labels]
