"""The methods by name: what each is, its published checkpoint, and the function that builds its ranker.

A method is a function of the corpus, the label space and a setting that gives a `Ranker`: one that learns does so
there, from the papers alone. Only `parabel` learns from gold, and it is not in this table (see `supervised.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from futex.baselines import encoders, entailment, floors, longformer, oag_bert, trained
from futex.baselines.setting import Setting, Text
from futex.candidates import Matcher, retrieve
from futex.config import ABLATIONS
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.labels.label import LabelSpace
from futex.ranking import Ranker, Ranking

Build = Callable[[Sequence[Paper], LabelSpace, Setting], Ranker]


@dataclass(frozen=True, slots=True)
class Method:
    """A row of Table 2."""

    title: str
    checkpoint: str | None
    """Of the publication, mostly a hub id; None for a method without a PLM."""
    build: Build
    texts: tuple[Text, ...] = ("abstract",)
    """What it can read; the first is the default."""
    lengths: tuple[int, ...] = (512,)
    """How many tokens of a text it can read; the first is the default."""
    is_random: bool = False
    """Whether the seed matters, so that it has to be run several times."""
    learns: bool = False
    """Whether it learns from links, so that --triples and --metapath matter."""


SCIBERT, SPECTER = "allenai/scibert_scivocab_uncased", "allenai/specter"
ROBERTA_MNLI, LONGFORMER = "FacebookAI/roberta-large-mnli", "allenai/longformer-base-4096"

METHODS: Mapping[str, Method] = {
    "random": Method("Random", None, floors.shuffled, is_random=True),
    "lexical": Method("Lexical", None, floors.lexical, ("full", "abstract")),
    "scibert": Method("SciBERT", SCIBERT, encoders.cosine_ranker, ("abstract", "full")),
    "oag-bert": Method("OAG-BERT", oag_bert.CHECKPOINT, oag_bert.oag_bert_ranker, ("abstract", "full")),
    "linkbert": Method("LinkBERT", "michiyasunaga/LinkBERT-base", encoders.cosine_ranker, ("abstract", "full")),
    "biolinkbert": Method(
        "BioLinkBERT", "michiyasunaga/BioLinkBERT-base", encoders.cosine_ranker, ("abstract", "full")
    ),
    "specter": Method("SPECTER", SPECTER, encoders.cosine_ranker, ("abstract", "full")),
    "zero-shot-tc": Method("0SHOT-TC", ROBERTA_MNLI, entailment.entailment_ranker),
    "longformer": Method("Longformer", LONGFORMER, longformer.longformer_ranker, ("full",), lengths=longformer.LENGTHS),
    "micol": Method("MICoL", SPECTER, trained.micol, is_random=True, learns=True),
    "micol-bi-encoder": Method("MICoL (Bi-Encoder)", SPECTER, trained.micol_bi_encoder, is_random=True, learns=True),
    "plm-gat": Method("PLM+GAT", SPECTER, trained.plm_gat, ("full",), is_random=True, learns=True),
    "graphformers": Method("GraphFormers", SPECTER, trained.graphformers, ("full",), is_random=True, learns=True),
}


def method_named(name: str) -> Method:
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join((*METHODS, *ABLATIONS, "parabel"))
        raise InputError(f"no method {name!r}: choose one of {known}") from None


def setting_of(
    method: Method, plm: str | None = None, text: str | None = None, length: int | None = None, **others: Any
) -> Setting:
    """The method's own defaults, where the user chose nothing else."""
    reads = {str(known): known for known in method.texts}
    if text is not None and text not in reads:
        raise InputError(f"{method.title} reads {' or '.join(reads)}: leave out --text {text}")
    if length is not None and length not in method.lengths:
        known = ", ".join(map(str, method.lengths))
        raise InputError(f"{method.title} cannot read {length} tokens: --length can be {known}")
    return Setting(
        plm=plm or method.checkpoint or "fake",
        text=reads[text or method.texts[0]],
        length=length or method.lengths[0],
        **others,
    )


def rank_with(method: Method, papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Mapping[str, Ranking]:
    """Candidates by name in title and abstract as for FuTex (§4.1), ranked by the method."""
    candidates = retrieve(papers, Matcher(labels))
    return method.build(papers, labels, setting).rank(papers, candidates)
