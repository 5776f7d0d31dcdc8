"""A small corpus that goes through every stage: papers with sections and shared references, labels, a tiny BERT."""

import random
from pathlib import Path

from futex.corpus.paper import Paper, Unit, section
from futex.corpus.store import write_papers
from futex.labels.label import Label, LabelSpace
from futex.labels.store import write_labels

TOPICS, NAMES_A_TOPIC = 5, 10
SYLLABLES = ("ba", "co", "di", "fer", "gu", "lam", "mi", "nor", "pel", "qui", "ras", "tu", "vel", "xon", "zy")
EVERYDAY = ("we", "study", "how", "the", "method", "and", "its", "data", "change", "over", "time", "in", "tests")


def make_corpus(folder: Path, papers: int, seed: int) -> None:
    """papers.jsonl, labels.jsonl and a checkpoint, the same for the same seed."""
    rng = random.Random(seed)
    names = _names(rng)
    write_labels(LabelSpace([Label(f"L{i}", name) for i, name in enumerate(names)]), folder / "labels.jsonl")
    write_papers([_paper(i, names, rng) for i in range(papers)], folder / "papers.jsonl")
    _save_tiny_bert(folder / "checkpoint", sorted({word for name in names for word in name.split()} | set(EVERYDAY)))


def _names(rng: random.Random) -> list[str]:
    """Of one word or two, all different."""
    found: dict[str, None] = {}
    while len(found) < TOPICS * NAMES_A_TOPIC:
        words = ["".join(rng.choices(SYLLABLES, k=3)) for _ in range(rng.randint(1, 2))]
        found[" ".join(words)] = None
    return list(found)


def _paper(number: int, names: list[str], rng: random.Random) -> Paper:
    topic = number % TOPICS
    of_topic = names[topic * NAMES_A_TOPIC : (topic + 1) * NAMES_A_TOPIC]
    sections = [section(f"Part {i}", [_sentence(of_topic, rng) for _ in range(2)]) for i in range(3)]
    return Paper(
        id=f"d{number}",
        title=f"On {rng.choice(of_topic)}, study {number}",
        abstract=_sentence(of_topic, rng),
        body=Unit(children=tuple(sections)),
        references=(f"10.1/topic-{topic}", f"10.1/own-{number}", f"d{rng.randrange(number + 1)}"),
    )


def _sentence(names: list[str], rng: random.Random) -> str:
    words = [*rng.choices(EVERYDAY, k=14), *rng.choices(names, k=3)]
    rng.shuffle(words)
    return " ".join(words) + "."


def _save_tiny_bert(folder: Path, words: list[str]) -> None:
    """A random little encoder with its tokenizer, as transformers saves them."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    vocabulary = {token: i for i, token in enumerate([*special, *words, "."])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    named = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named).save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=128, pad_token_id=0, **sizes)
    BertModel(config).save_pretrained(folder)
