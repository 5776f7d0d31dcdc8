"""Our dropout: the right share, the right expectation, the right gradients."""

import numpy as np
import pytest
import torch

from futex.plm.dropout import Dropout


@pytest.mark.parametrize("p", [0.1, 0.5, 0.01])
def test_share_and_scale_of_the_mask(p):
    mask = Dropout(7).mask((1000, 1000), p, torch.zeros(1))
    assert float((mask == 0).float().mean()) == pytest.approx(p, abs=0.002)
    assert float(mask.mean()) == pytest.approx(1.0, abs=0.002)
    assert len(mask.unique()) == 2


def test_elements_are_dropped_independently():
    """Four elements share one draw of 64 bits; neighbours must not be alike for that."""
    dropped = (Dropout(1).mask((400_000,), 0.5, torch.zeros(1)) == 0).numpy()
    for distance in (1, 2, 3, 4):
        assert np.corrcoef(dropped[:-distance], dropped[distance:])[0, 1] == pytest.approx(0, abs=0.01)


def test_the_seed_decides():
    like = torch.zeros(1)
    assert torch.equal(Dropout(1, 2).mask((50,), 0.5, like), Dropout(1, 2).mask((50,), 0.5, like))
    assert not torch.equal(Dropout(1, 2).mask((50,), 0.5, like), Dropout(2, 1).mask((50,), 0.5, like))


def test_no_dropout_leaves_the_tensor_alone():
    x = torch.ones(3)
    assert Dropout(0)(x, 0.0) is x
