"""A checkpoint from a stranger: no code, no fetching, no more memory than its files have, one clear line."""

import base64
import json
import os
import shutil
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from futex.errors import ModelError
from futex.plm.checkpoints import load_folder


@pytest.fixture
def checkpoint(tiny_checkpoint, tmp_path) -> Path:
    return Path(shutil.copytree(tiny_checkpoint("bert"), tmp_path / "plm"))


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def refused(folder: Path, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        load_folder(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"auto_map": {"AutoModel": "evil.Model"}}, "code of its own, and none is ever run"),
        ({"model_type": "evil", "auto_map": {"AutoConfig": "evil.Config"}}, "code of its own"),
        ({"attn_implementation": "evil/kernel"}, "code of its own"),
        ({"quantization_config": {"quant_method": "evil"}}, "code of its own"),
        ({"model_type": "timm_backbone", "use_pretrained_backbone": True}, "not an encoder that we know"),
        ({"model_type": None}, "has no model_type"),
        ({"num_labels": 10**9}, r"num_labels is 1e\+09, and no encoder has more than 1,000"),
        ({"num_hidden_layers": 10**6}, "num_hidden_layers is"),
        ({"num_attention_heads": -(10**6)}, "num_attention_heads is"),
        ({"hidden_size": 10**12}, "hidden_size is"),
        ({"hidden_size": 10**400}, "a number has more than 300 digits"),
        ({"hidden_size": 4096, "intermediate_size": 16384}, "config.json asks for"),
        ({"vocab_size": 2**24, "hidden_size": 2**12}, "parameters, and more than"),
        ({"hidden_size": 30}, "cannot load the checkpoint"),
        ({"hidden_size": "32"}, "cannot load the checkpoint"),
        ({"type_vocab_size": 1}, "cannot load the checkpoint"),
        ({"vocab_size": 8}, "cannot load the checkpoint"),
    ],
)
def test_configurations(checkpoint, config, message):
    (checkpoint / "evil.py").write_text("raise SystemExit('it ran')")
    change(checkpoint / "config.json", **config)
    refused(checkpoint, message)


def replacements(times: int) -> dict[str, Any]:
    twice = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
    return {"type": "Sequence", "normalizers": [twice] * times}


def charsmap(longest: int) -> str:
    """SentencePiece's table with an empty search tree."""
    return base64.b64encode(struct.pack("<I", 0) + b"x" * longest + b"\0").decode()


TEMPLATE = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        ({"normalizer": replacements(40)}, "makes texts more than 64 times longer"),
        ({"normalizer": {"type": "Prepend", "prepend": "x" * 10**6}}, "makes texts more than 64 times longer"),
        ({"normalizer": {"type": "Precompiled", "precompiled_charsmap": charsmap(10**4)}}, "64 times longer"),
        ({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "x"}}, "damaged table of characters"),
        (
            {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"}},
            "pattern of its",
        ),
        ({"padding": {"strategy": {"Fixed": 10**9}}}, "fills texts up to 1,000,000,000 tokens"),
        ({"padding": {"strategy": "BatchLongest", "pad_to_multiple_of": 10**9}}, "fills texts up to"),
        ({"post_processor": {**TEMPLATE, "single": [{"SpecialToken": {"id": "<s>"}}] * 1000}}, "special tokens around"),
        ({"model": {"type": "WordPiece", "vocab": {"a": 10**9}}}, "cannot load the checkpoint"),
        ({"model": []}, "cannot load the checkpoint"),
    ],
)
def test_tokenizers(checkpoint, tokenizer, message):
    change(checkpoint / "tokenizer.json", **tokenizer)
    refused(checkpoint, message)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", "futex.json"])
@pytest.mark.parametrize("content", ['{"a":' * 100_000, "[]", "{", '{"pooling": NaN}'])
def test_broken_json(checkpoint, name, content):
    (checkpoint / name).write_text(content)
    refused(checkpoint, "is not readable JSON|is not a JSON object")


def test_a_tokenizer_cannot_name_files_of_this_machine(checkpoint, tmp_path):
    (tmp_path / "secret").write_text("secret")
    change(checkpoint / "tokenizer_config.json", vocab_file=str(tmp_path / "secret"))
    refused(checkpoint, "names a file of this machine: take its vocab_file out")
    change(checkpoint / "tokenizer_config.json", vocab_file="/home/somebody/else/vocab.txt")
    load_folder(checkpoint)


def test_a_tokenizer_cannot_bring_code(checkpoint, tmp_path):
    (checkpoint / "evil.py").write_text(f"open({str(tmp_path / 'owned')!r}, 'w')")
    change(
        checkpoint / "tokenizer_config.json", tokenizer_class="Evil", auto_map={"AutoTokenizer": ["evil.Evil", None]}
    )
    refused(checkpoint, r"tokenizer_config\.json asks for code of its own")
    assert not (tmp_path / "owned").exists()


def test_weights_in_several_files_are_beside_each_other(checkpoint):
    (checkpoint / "model.safetensors").unlink()
    index = {"metadata": {}, "weight_map": {"embeddings.word_embeddings.weight": "../../elsewhere.safetensors"}}
    (checkpoint / "model.safetensors.index.json").write_text(json.dumps(index))
    refused(checkpoint, "names a file outside the checkpoint")


def test_a_vocabulary_of_millions(checkpoint, monkeypatch):
    monkeypatch.setattr("futex.plm.checkpoint_check.MAX_TOKENS", 10)
    (checkpoint / "vocab.txt").write_text("a\n" * 11)
    refused(checkpoint, "lists more than 10 tokens")


def test_an_adapter_cannot_name_another_model(checkpoint):
    (checkpoint / "adapter_config.json").write_text('{"base_model_name_or_path": "/", "peft_type": "LORA"}')
    refused(checkpoint, "holds an adapter")


def lying_header(path: Path) -> None:
    header = json.dumps({"w": {"dtype": "F32", "shape": [10**12], "data_offsets": [0, 4 * 10**12]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 16)


def endless_header(path: Path) -> None:
    path.write_bytes(struct.pack("<Q", 2**63) + b"{" * 1000)


@pytest.mark.parametrize("name", ["model.safetensors", "cross_encoder_head.safetensors"])
@pytest.mark.parametrize("damage", [lying_header, endless_header])
def test_safetensors_that_lie(checkpoint, name, damage):
    damage(checkpoint / name)
    refused(checkpoint, "cannot load the checkpoint")


@pytest.mark.parametrize("head", [{"v": torch.ones(32)}, {"w": torch.ones(31)}, {"w": torch.full((32,), torch.nan)}])
def test_heads_that_do_not_fit(checkpoint, head):
    save_file(head, checkpoint / "cross_encoder_head.safetensors")
    refused(checkpoint, "cannot load the checkpoint")


def test_weights_that_are_not_numbers(checkpoint):
    weights = load_file(checkpoint / "model.safetensors")
    weights["encoder.layer.1.output.dense.bias"].fill_(torch.inf)
    save_file(weights, checkpoint / "model.safetensors", metadata={"format": "pt"})
    refused(checkpoint, "its vectors are not numbers")


def test_compressed_weights_are_not_unfolded(checkpoint):
    """torch reads deflated archives too: some megabytes of zeros become all the memory there is."""
    (checkpoint / "model.safetensors").unlink()
    with zipfile.ZipFile(checkpoint / "pytorch_model.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data/0", b"\0" * 10**7)
    refused(checkpoint, "is compressed, which no published weights are")


def test_pipes_are_not_waited_for(checkpoint):
    for name in ("cross_encoder_head.safetensors", "static.safetensors", "vocab.txt", "pytorch_model.bin"):
        os.mkfifo(checkpoint / name)
    assert load_folder(checkpoint).head is None


@pytest.mark.parametrize("settings", [{}, {"pooling": "max", "max_length": 8}, {"pooling": "cls", "max_length": -1}])
def test_settings_that_say_nothing(checkpoint, settings):
    (checkpoint / "futex.json").write_text(json.dumps(settings))
    refused(checkpoint, "does not tell pooling")


def test_a_static_plm_with_too_few_vectors(checkpoint, tmp_path):
    save_file({"vectors": torch.ones(3, 4)}, checkpoint / "static.safetensors")
    refused(checkpoint, "not one vector a token")
