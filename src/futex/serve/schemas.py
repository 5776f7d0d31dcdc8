"""What our own API sends and takes, as OpenAPI shows it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Verdict = Literal["accept", "reject", "add"]
IndicatedBy = Literal["abstract", "full-text", "neither"]


def _encodable(text: str) -> str:
    """JSON can escape half a character, which can be neither stored nor sent back."""
    if not text.isascii():
        text.encode()  # raises a ValueError if not
    return text


Text = Annotated[str, AfterValidator(_encodable)]
PaperId = Annotated[Text, Field(min_length=1, max_length=500)]


class LabelName(BaseModel):
    id: str
    name: str


# --- a paper and why it has its labels


class Section(BaseModel):
    """A section of the body; sections come in reading order."""

    heading: str
    depth: int = Field(description="1 for a section, 2 for a subsection and so on.")
    parent: int | None = Field(description="Position of the section around it.")
    first: int = Field(description="Position of its first paragraph, those of its subsections included.")
    count: int = Field(description="How many paragraphs it has, those of its subsections included.")


class PaperText(BaseModel):
    id: str
    title: str
    abstract: str
    sections: list[Section]
    paragraphs: list[str] = Field(description="All paragraphs of the body in reading order.")


class Mention(BaseModel):
    """A name of the label in the paper. `start` and `end` count the characters (code points) of that text."""

    name: str
    field: Literal["title", "abstract", "paragraph"]
    paragraph: int | None = Field(description="Position in `paragraphs`; null in title and abstract.")
    start: int
    end: int


class Word(BaseModel):
    word: str
    share: float = Field(description="Of all that the paper's words weighed for the label.")


class Contributions(BaseModel):
    """What each part adds to the cosine of paper and label; abstract and paragraphs together are all of it."""

    abstract: float = Field(description="Title and abstract.")
    sections: list[float] = Field(description="One number a section, its subsections included.")
    paragraphs: list[float] = Field(description="One number a paragraph.")


class ExplainedLabel(BaseModel):
    id: str
    name: str
    score: float = Field(description="From 0 to 1, for comparing; of fused modules, 1 if all rank it first.")
    applies: bool | None = Field(description="Whether it is above the cut-off of the paper; null if nobody knows.")
    source: Literal["matching", "self-training"] = Field(
        description="Whether its name was found, or the classifier added it."
    )
    indicated_by: IndicatedBy = Field(
        description="Whether title or abstract name the label, or only the full text does (Table 4), or neither."
    )
    path: list[LabelName] = Field(description="From a top label down to this one.")
    mentions: list[Mention] = Field(description="Where its names stand, in reading order; the first 200.")
    similarities: list[float] = Field(
        description="Cosine of each paragraph with the label; empty if no PLM compares them."
    )
    contributions: Contributions | None = Field(description="Null if no PLM compares paragraphs with the label.")
    words: list[Word] = Field(description="What weighed most where the classifier added the label.")


class Classified(BaseModel):
    paper: PaperText
    labels: list[ExplainedLabel] = Field(description="Best first.")


# --- the taxonomy


class FoundLabel(LabelName):
    matched: str = Field(description="The name that fits what was typed.")
    path: list[LabelName]


class LabelMatches(BaseModel):
    labels: list[FoundLabel] = Field(description="Best first.")


class NarrowerLabel(LabelName):
    narrower: int = Field(description="How many labels stand directly below it.")


class NarrowerLabels(BaseModel):
    total: int
    labels: list[NarrowerLabel]


class LabelDetails(LabelName):
    synonyms: list[str]
    description: str
    path: list[LabelName]
    broader: list[LabelName]
    narrower: int


# --- the corpus


class PredictedLabel(LabelName):
    score: float
    verdict: Verdict | None = Field(description="What people said of it.")


class PaperEntry(BaseModel):
    id: str
    title: str
    confidence: float = Field(description="The score of its best label, or of the label that was asked for.")
    labels: list[PredictedLabel]
    judged: int = Field(description="How many labels people have accepted, rejected or added, shown here or not.")


class PaperPage(BaseModel):
    total: int = Field(description="How many papers there are in all with these filters.")
    offset: int = Field(description="How many of them come before this page.")
    before: int | None = Field(
        None, description="How many of them come before the paper that was asked for by `around`."
    )
    papers: list[PaperEntry]


class StoredEvidence(BaseModel):
    """A piece of evidence as it stands in predictions.jsonl."""

    model_config = ConfigDict(extra="allow")

    kind: str


class StoredLabel(PredictedLabel):
    source: str
    evidence: list[StoredEvidence]


class JudgedLabel(LabelName):
    verdict: Verdict


class PaperDetails(BaseModel):
    id: str
    predicted: list[StoredLabel] = Field(description="What the run predicted, with its excerpts.")
    also_judged: list[JudgedLabel] = Field(
        description="Other labels that people judged: added ones, and those that the run ranks lower or not at all."
    )
    classified: Classified | None = Field(description="Its text and all evidence; null if its text cannot be found.")


class Neighbour(BaseModel):
    id: str
    title: str
    links: int = Field(description="Shared references, or 1.")


class Neighbours(BaseModel):
    """At most 50 of each kind."""

    cites: list[Neighbour]
    cited_by: list[Neighbour]
    shared_references: list[Neighbour]


class CorpusSummary(BaseModel):
    papers: int
    labels: int
    labels_used: int = Field(description="Labels that at least one paper has among its best.")
    labels_per_paper: int = Field(description="How many of its best labels count as those of a paper.")
    confident: float = Field(description="From this score on, a label counts as confident.")
    papers_without_confident_label: int
    papers_reviewed: int
    has_texts: bool


class LabelFrequency(LabelName):
    papers: int


class LabelFrequencies(BaseModel):
    total: int
    labels: list[LabelFrequency] = Field(description="Most frequent first.")


class Branch(LabelName):
    labels: int = Field(description="Labels in it, itself included.")
    labels_used: int
    papers: int = Field(description="Papers with a label of it.")
    narrower: int


class Branches(BaseModel):
    path: list[LabelName]
    total: int
    branches: list[Branch]


class Point(BaseModel):
    paper: str
    title: str
    x: float
    y: float
    label: str | None = Field(description="Its best label.")


class PaperMap(BaseModel):
    state: Literal["computing", "ready"]
    done: int = Field(description="Papers whose vectors are known.")
    total: int
    points: list[Point] = Field(description="The first two principal components, scaled to -1…1; empty until ready.")


# --- feedback


class Opinion(BaseModel):
    """What a person says of a label of a paper: it is right, it is wrong, or it was missing."""

    paper: PaperId
    label: Annotated[Text, Field(min_length=1, max_length=2000)]
    verdict: Verdict


class KeptOpinion(BaseModel):
    paper: str
    label: str
    name: str
    verdict: Verdict
    at: str = Field(description="UTC, ISO 8601.")


class Opinions(BaseModel):
    total: int
    feedback: list[KeptOpinion] = Field(description="Latest first.")


# --- the service itself


class ProjectState(BaseModel):
    id: str
    name: str
    language: str
    state: Literal["loading", "ready"]
    corpus: Literal["none", "loading", "ready"] = Field(description="Whether Review and Corpus have something to show.")
    labels: int | None
    papers: int | None
    modules: int | None = Field(description="Whose rankings are fused; only several can disagree.")


class ProjectStates(BaseModel):
    projects: list[ProjectState]


class Health(BaseModel):
    status: Literal["ok"]


class ProjectVersion(BaseModel):
    id: str
    recipe: dict[str, str | int | float | bool | None]
    files: dict[str, str] = Field(description="SHA-256 of each file of the model.")
    inputs: dict[str, str | None] = Field(description="SHA-256 of the papers and labels of its run.")


class Versions(BaseModel):
    futex: str
    python: str
    packages: dict[str, str]
    projects: list[ProjectVersion]
