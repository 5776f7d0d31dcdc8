"""What was finished is not done again; what is damaged is."""

from dataclasses import replace
from pathlib import Path

import pytest

from futex.errors import ModelError
from futex.experiments import jobs, units
from futex.experiments.corpus import Corpus
from futex.experiments.jobs import Job
from futex.experiments.units import NotRun, Units, unit_key
from futex.files import read_note


@pytest.fixture
def done(monkeypatch) -> list[Job]:
    """The jobs that were really done."""
    jobs: list[Job] = []
    perform = units.perform

    def counting(job, corpus, cache):
        jobs.append(job)
        return perform(job, corpus, cache)

    monkeypatch.setattr(units, "perform", counting)
    return jobs


def store(folder: Path) -> Units:
    """As a new process would have it."""
    return Units(folder / "units", folder / "cache")


def test_a_job_is_done_once(folder, corpus, done):
    job = Job(method="random", seed=3)
    first = store(folder).outcome(job, corpus)
    again = store(folder).outcome(job, corpus)
    assert done == [job]
    assert again == first
    assert len(first.rankings) == 30


def test_a_kill_costs_the_job_it_hits_and_no_other(folder, corpus, done, monkeypatch):
    jobs = [Job(method="random", seed=seed) for seed in range(3)]
    store(folder).outcome(jobs[0], corpus)
    monkeypatch.setattr(units, "write_note", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store(folder).outcome(jobs[1], corpus)
    monkeypatch.undo()
    after = store(folder)
    assert [len(after.outcome(job, corpus).rankings) for job in jobs] == [30, 30, 30]
    assert done == jobs[:2]  # before the kill; the counter went with it


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("L3", "L9"),
        lambda text: "",
        lambda text: "no checksum\n" + text,
    ],
)
def test_a_damaged_unit_is_computed_again(folder, corpus, done, damage):
    job = Job(method="random")
    whole = store(folder).outcome(job, corpus)
    path = folder / "units" / f"{unit_key(job, corpus)}.json"
    path.write_text(damage(path.read_text()))
    assert store(folder).outcome(job, corpus).rankings == whole.rankings
    assert done == [job, job]


def test_what_cannot_be_run_is_told_at_once(folder, corpus, caplog):
    stored = store(folder)
    for _ in range(2):
        with pytest.raises(NotRun, match="no PLM 'embeded'"):
            stored.outcome(Job(method="futex", plm="embeded"), corpus)
    assert [record.getMessage()[:25] for record in caplog.records if record.levelname == "WARNING"] == [
        "not run: no PLM 'embeded'"
    ]


def test_other_papers_labels_seeds_and_settings_are_other_units(corpus):
    jobs = [
        Job(method="futex", plm="fake"),
        Job(method="futex", plm="fake", seed=1),
        Job(method="futex", plm="fake", triples=9),
        Job(method="futex", plm="fake", recipe=(("trees", 5),)),
        Job(method="futex-no-network", plm="fake"),
        Job(method="futex", plm="fake", fresh=True),
        Job(method="specter", plm="fake"),
        Job(method="specter", plm="fake", text="full"),
    ]
    keys = {unit_key(job, corpus) for job in jobs} | {unit_key(job, corpus.first(29)) for job in jobs}
    assert len(keys) == 2 * len(jobs)


def test_a_plm_in_a_folder_is_known_by_what_is_in_it(corpus, tmp_path):
    (tmp_path / "plm").mkdir()
    keys = []
    for weights in ("old", "new", "old"):
        (tmp_path / "plm" / "model.safetensors").write_text(weights)
        jobs._weights.cache_clear()  # as a new process would have it
        keys.append([unit_key(Job(method=name, plm=f"{tmp_path}/plm"), corpus) for name in ("futex", "best", "micol")])
    assert keys[0] == keys[2]
    assert not set(keys[0]) & set(keys[1])


def test_a_time_is_that_of_one_machine_and_of_one_version(corpus, monkeypatch):
    keys = {fresh: [unit_key(Job(method="specter", plm="fake", fresh=fresh), corpus)] for fresh in (True, False)}
    for name in ("machine", "versions"):
        monkeypatch.setattr(jobs, name, lambda: {"another": "one"})
        for fresh, known in keys.items():
            known.append(unit_key(Job(method="specter", plm="fake", fresh=fresh), corpus))
    assert [len(set(keys[fresh])) for fresh in (True, False)] == [3, 1]


def test_fresh_begins_with_nothing_but_fetched_models_in_the_cache(corpus, tmp_path, monkeypatch):
    job, cache = Job(method="specter", plm="fake"), tmp_path / "cache"
    jobs.perform(job, corpus, cache)
    (cache / "models").mkdir()
    seen = []
    monkeypatch.setattr(jobs, "_baseline", lambda job, corpus, cache: seen.append({p.name for p in cache.iterdir()}))
    for fresh in (False, True):
        jobs.perform(replace(job, fresh=fresh), corpus, cache)
    assert seen == [{"embeddings", "models"}, {"models"}]


def test_encoders_that_share_a_plm_share_a_unit(corpus):
    same = {unit_key(Job(method=name, plm="fake"), corpus) for name in ("scibert", "linkbert", "specter")}
    published = {unit_key(Job(method=name), corpus) for name in ("scibert", "linkbert", "specter")}
    assert (len(same), len(published)) == (1, 3)


def test_what_cannot_be_loaded_is_tried_once_and_not_stored(folder, corpus, monkeypatch):
    tried: list[Job] = []

    def fail(job: Job, corpus: Corpus, cache: Path):
        tried.append(job)
        raise ModelError("no hub here")

    monkeypatch.setattr(units, "perform", fail)
    here = store(folder)
    for _ in range(2):
        with pytest.raises(NotRun, match="no hub here"):
            here.outcome(Job(method="specter"), corpus)
    assert len(tried) == 1
    assert not (folder / "units").exists()


def test_a_unit_tells_what_it_was_computed_from(folder, corpus):
    job = Job(method="random")
    store(folder).outcome(job, corpus)
    record = read_note(folder / "units" / f"{unit_key(job, corpus)}.json")
    assert record["identity"]["papers"] == corpus.papers_hash
    assert record["identity"]["setting"]["seed"] == 0
