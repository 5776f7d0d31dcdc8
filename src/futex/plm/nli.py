"""Natural language inference: does one text entail another? Any checkpoint that classifies pairs and names its classes.

Which class means entailment is read from the checkpoint, never assumed: published models count them in every order.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from futex.errors import ModelError
from futex.plm.bf16 import in_bf16
from futex.plm.checkpoints import one_clear_line, read_model, read_pretrained
from futex.plm.names import split_bf16
from futex.plm.packed import Sequences
from futex.plm.protocol import Array
from futex.plm.transformer import TransformerPLM

HEADS: Mapping[str, Callable[[Any, Tensor], Tensor]] = {
    "bert": lambda model, states: model.classifier(model.bert.pooler(states)),
    "roberta": lambda model, states: model.classifier(states),
    "mpnet": lambda model, states: model.classifier(states),
    "xlm-roberta": lambda model, states: model.classifier(states),
    "distilbert": lambda model, states: model.classifier(torch.relu(model.pre_classifier(states[:, 0]))),
    "deberta": lambda model, states: model.classifier(model.pooler(states)),
    "deberta-v2": lambda model, states: model.classifier(model.pooler(states)),
}
"""From the last states to the classes' logits, as each architecture does it."""


class EntailmentPLM(TransformerPLM):
    """A PLM whose score of a pair is the probability that the first text entails the second."""

    def __init__(self, classifier: Any, tokenizer: Any, entailment: int) -> None:
        classifier.eval()
        super().__init__(classifier.base_model, tokenizer, pooling="cls")
        self._classifier = classifier
        self._entailment = entailment

    def score_sequences(self, sequences: Sequences) -> Array:
        """The softmax over all classes at entailment. What has to be cut is cut from the longer text, the premise."""
        return np.array(self._in_packs(sequences, self._probability, first_only=True), np.float32)

    def _probability(self, rows: Tensor) -> float:
        logits = HEADS[self.model.config.model_type](self._classifier, rows[None])
        return float(torch.softmax(logits[0], dim=-1)[self._entailment])

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(f"{super().fingerprint} {self._entailment}".encode(), digest_size=16)
        encoder = self._classifier.base_model_prefix
        for name, tensor in sorted(self._classifier.state_dict().items()):
            if not name.startswith(f"{encoder}."):
                digest.update(tensor.cpu().numpy().tobytes())
        return digest.hexdigest()


def is_classifier(source: str) -> bool:
    """Whether a checkpoint was saved with a head that classifies."""
    architectures = read_pretrained("AutoConfig", source).architectures or ()
    return any(name.endswith("ForSequenceClassification") for name in architectures)


def load_nli(source: str) -> EntailmentPLM:
    """A classifier of pairs, from a folder or the hub."""
    bf16, source = split_bf16(source)
    config = read_pretrained("AutoConfig", source)
    if config.model_type not in HEADS:
        raise ModelError(f"{source} is {config.model_type}, and an NLI model can be {', '.join(HEADS)}")
    entailment = _entailment(config.id2label or {}, source)
    tokenizer = read_pretrained("AutoTokenizer", source)
    classifier = read_model("AutoModelForSequenceClassification", source)
    with one_clear_line(source):
        plm = EntailmentPLM(in_bf16(classifier) if bf16 else classifier, tokenizer, entailment)
        plm.try_out()
    return plm


def _entailment(classes: Mapping[int, str], source: str) -> int:
    found = [number for number, name in classes.items() if str(name).lower().startswith("entail")]
    if len(found) != 1:
        names = ", ".join(map(str, classes.values())) or "without names"
        raise ModelError(f"which class of {source} is entailment ({names})? Name it in id2label of its config.json")
    return found[0]
