"""Small real things for the tests: tiny checkpoints of each architecture, and a corpus that fits on a screen."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def log_everything() -> None:
    """A command that ran within an earlier test may have been told to be quiet."""
    logging.getLogger("futex").setLevel(logging.NOTSET)


@pytest.fixture(autouse=True)
def copied_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of a run start as copies, at once: they use the fake PLM, even if other tests have run torch."""
    monkeypatch.setattr("futex.sharded.local._has_torch", lambda: False)


WORDS = [
    "the",
    "of",
    "and",
    "cell",
    "cells",
    "mouse",
    "mice",
    "brain",
    "cancer",
    "lung",
    "deep",
    "learning",
    "graph",
    "gene",
]


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A folder with a random little encoder and its tokenizer, as transformers saves them."""
    made: dict[str, Path] = {}

    def make(model_type: str) -> Path:
        if model_type not in made:
            made[model_type] = _save_tiny(model_type, tmp_path_factory.mktemp(model_type))
        return made[model_type]

    return make


def _save_tiny(model_type: str, folder: Path) -> Path:
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import AutoConfig, AutoModel, PreTrainedTokenizerFast

    special = ["<pad>", "<s>", "</s>", "<unk>"]
    letters = [f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz"] + list("abcdefghijklmnopqrstuvwxyz.,")
    vocabulary = {token: i for i, token in enumerate([*special, *WORDS, *letters])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    types = (0, 1) if model_type == "bert" else (0, 0)
    middle = "</s>:0" if model_type == "bert" else "</s>:0 </s>:0"
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s>:0 $A:0 </s>:0",
        pair=f"<s>:0 $A:0 {middle} $B:{types[1]} </s>:{types[1]}",
        special_tokens=[("<s>", 1), ("</s>", 2)],
    )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        cls_token="<s>",
        sep_token="</s>",
        unk_token="<unk>",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    sizes = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
    if model_type == "distilbert":
        sizes = {"dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 64}
    config = AutoConfig.for_model(
        model_type, vocab_size=len(vocabulary), max_position_embeddings=96, pad_token_id=0, **sizes
    )
    torch.manual_seed(0)
    AutoModel.from_config(config).save_pretrained(folder)
    wrapped.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def labels() -> LabelSpace:
    return LabelSpace(
        [
            Label("L1", "Lung cancer", synonyms=("pulmonary tumours",)),
            Label("L2", "Mice", synonyms=("mouse",)),
            Label("L3", "Deep learning", description="Learning with deep networks."),
            Label("L4", "Graph networks", broader=("L3",)),
            Label("L5", "Proteins"),
            Label("L6", "Brain"),
        ]
    )


@pytest.fixture(scope="session")
def papers() -> list[Paper]:
    """Twelve papers on two topics; papers of a topic share a reference."""
    biology = "We treat lung cancer in mice and measure proteins of the tumour over many long weeks"
    computing = "We train deep learning models and graph networks that read images of the brain at night"
    return [
        Paper(
            id=f"d{i}",
            title=("Lung cancer in the mouse" if i % 2 else "Deep learning for graphs") + f" {i}",
            abstract=biology if i % 2 else computing,
            body=section(
                "",
                sections=[
                    section("Introduction", [f"{biology if i % 2 else computing} in study number {i}."]),
                    section(
                        "Methods",
                        [f"Here we describe the methods of study {i} in a paragraph of enough words."],
                        [section("Data", [f"The brain data of study {i} came from a hospital and a mouse house."])],
                    ),
                ],
            ),
            references=("10.1/biology" if i % 2 else "10.1/computing", f"10.2/own-{i}"),
            metadata={"year": 2000 + i},
        )
        for i in range(12)
    ]
