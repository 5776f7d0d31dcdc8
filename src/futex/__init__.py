"""FuTex: ranked taxonomy labels with evidence for full-text scientific papers, without one labelled example.

>>> from futex import Explainer, FuTex, Gold, Label, LabelSpace, Paper, Recipe, evaluate
>>> papers = [Paper("d1", "Mice with asthma", "We study the lungs of mice."), Paper("d2", "On asthma", "A review.")]
>>> labels = LabelSpace([Label("A", "Asthma"), Label("M", "Mouse", synonyms=("mice",)), Label("L", "Lung")])
>>> model = FuTex(Recipe(plm="fake", network=False)).fit(papers, labels)
>>> sorted(model.rank(papers)["d1"].labels)
['A', 'M']

Why the first of them, and how good they all are:

>>> ranking = model.rank(papers)["d1"]
>>> first, *_ = Explainer(model).suggestions(papers[0], ranking, top=1)
>>> first.name, first.evidence[0]["where"], first.evidence[0]["text"]
('Asthma', ['title'], 'Mice with asthma')
>>> evaluate(model.rank(papers), Gold({"d1": ["A", "M"], "d2": ["A"]})).mean("P@1")
1.0
"""

from futex.config import Recipe
from futex.corpus.paper import Paper, Unit, section
from futex.corpus.store import read_papers, write_papers
from futex.errors import FutexError, InputError, ModelError
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import Evaluation, evaluate
from futex.evidence import Explainer, Suggestion
from futex.labels.label import Label, LabelSpace
from futex.labels.store import read_labels, write_labels
from futex.pipeline import FuTex
from futex.ranking import Ranking

__all__ = [
    "Evaluation",
    "Explainer",
    "FuTex",
    "FutexError",
    "Gold",
    "InputError",
    "Label",
    "LabelSpace",
    "ModelError",
    "Paper",
    "Ranking",
    "Recipe",
    "Suggestion",
    "Unit",
    "evaluate",
    "read_labels",
    "read_papers",
    "section",
    "write_labels",
    "write_papers",
]
