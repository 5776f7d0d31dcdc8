"""Tiny checkpoints whose weights are large enough that every part of them shows in the vectors."""

import pytest
import torch

from futex.plm.checkpoints import load_folder


@pytest.fixture
def lively_plm(tiny_checkpoint):
    def make(model_type="bert", pooling="cls", std=0.3):
        plm = load_folder(tiny_checkpoint(model_type), pooling=pooling, max_length=32)
        generator = torch.Generator().manual_seed(5)
        for name, parameter in plm.model.named_parameters():
            if "LayerNorm" not in name:
                torch.nn.init.normal_(parameter.data, std=std, generator=generator)
        return plm

    return make
