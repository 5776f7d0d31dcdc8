"""A fine-tuned model in the cache is used only if it is what was learnt."""

import pytest

from futex.network.contrastive import tuned_once
from futex.network.learning import learn, schedule_for
from futex.plm.fake import FakePLM
from futex.plm.protocol import Triple

TRIPLES = [Triple(f"cells of mouse {i}", f"a mouse has cells {i}", f"a graph of words {i}") for i in range(40)]


def tuned(cache) -> float:
    return tuned_once(FakePLM(), TRIPLES, TRIPLES[:4], 0, cache).weight


@pytest.mark.parametrize("name", ["plm/fake.json", "done"])
@pytest.mark.parametrize("place", [0, 12, -3])
def test_a_model_that_was_altered_is_learnt_again(tmp_path, name, place):
    expected = tuned(tmp_path)
    (path,) = (file for file in tmp_path.rglob(name.split("/")[-1]))
    whole = path.read_bytes()
    altered = bytearray(whole)
    altered[place] ^= 1
    path.write_bytes(altered)
    assert tuned(tmp_path) == expected
    assert path.read_bytes() == whole


def test_a_model_that_is_whole_is_not_learnt_again(tmp_path, monkeypatch):
    expected = tuned(tmp_path)
    monkeypatch.setattr(FakePLM, "trainer", None)
    assert tuned(tmp_path) == expected


class Killed(Exception):
    pass


@pytest.mark.parametrize("name", ["progress.json", "trainer.json"])
def test_training_goes_on_from_a_state_only_if_it_is_whole(tmp_path, name):
    plm = FakePLM()
    undisturbed = plm.trainer(schedule_for(len(TRIPLES), 0))
    history = learn(undisturbed, TRIPLES, TRIPLES[:4], title="", checkpoint=None)
    killed = plm.trainer(schedule_for(len(TRIPLES), 0))
    steps = iter(range(3))

    def step(batch, real=killed.step):
        if next(steps, None) is None:
            raise Killed
        return real(batch)

    killed.step = step
    with pytest.raises(Killed):
        learn(killed, TRIPLES, TRIPLES[:4], title="", checkpoint=tmp_path)
    (path,) = tmp_path.rglob(name)
    whole = path.read_text()
    path.write_text(whole.replace(".", ".5", 1))
    assert path.read_text() != whole
    again = plm.trainer(schedule_for(len(TRIPLES), 0))
    assert learn(again, TRIPLES, TRIPLES[:4], title="", checkpoint=tmp_path) == history
    assert again.best().weight == undisturbed.best().weight
