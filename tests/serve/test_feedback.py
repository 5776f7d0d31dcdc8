"""Opinions are kept, changed, taken back, exported, and outlive the service."""

import shutil
import sqlite3

import pytest
from serve.running import a_service, answering

from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.serve.feedback import Feedback
from futex.serve.project import open_projects

FEEDBACK = "/api/projects/my-run/feedback"


def say(client, paper, label, verdict):
    return client.put(FEEDBACK, json={"paper": paper, "label": label, "verdict": verdict})


def test_kept_over_a_restart_and_read_as_gold(run_folder, tmp_path):
    kept = tmp_path / "new folder" / "opinions.sqlite"
    with answering(a_service([run_folder], feedback=kept)) as client:
        for label, verdict in [("L1", "accept"), ("L2", "reject"), ("L6", "add"), ("L2", "accept"), ("L6", "reject")]:
            assert say(client, "10.1/d1", label, verdict).status_code == 200
        say(client, "upload-1", "L3", "add")
    with answering(a_service([run_folder], feedback=kept)) as client:
        answer = client.get(FEEDBACK, params={"paper": "10.1/d1"}).json()
        assert answer["total"] == 3
        assert {(o["label"], o["name"], o["verdict"]) for o in answer["feedback"]} == {
            ("L1", "Lung cancer", "accept"),
            ("L2", "Mice", "accept"),
            ("L6", "Brain", "reject"),
        }
        exported = client.get(f"{FEEDBACK}/gold")
        assert exported.headers["content-type"].startswith("application/x-ndjson")
    (tmp_path / "gold.jsonl").write_bytes(exported.content)
    assert dict(Gold.read(tmp_path / "gold.jsonl")) == {"10.1/d1": {"L1", "L2"}, "upload-1": {"L3"}}


def test_taken_back(client):
    say(client, "10.1/d2", "L1", "accept")
    where = {"paper": "10.1/d2", "label": "L1"}
    assert client.delete(FEEDBACK, params=where).status_code == 204
    assert client.delete(FEEDBACK, params=where).status_code == 404
    assert client.get(FEEDBACK, params={"paper": "10.1/d2"}).json()["total"] == 0


def test_what_is_no_opinion(client):
    assert say(client, "10.1/d2", "no such label", "accept").status_code == 404
    assert say(client, "10.1/d2", "L1", "maybe").status_code == 422
    assert say(client, "", "L1", "accept").status_code == 422
    assert say(client, "x" * 501, "L1", "accept").status_code == 422
    form = client.put(FEEDBACK, content=b'{"paper": "x"}', headers={"content-type": "text/plain"})
    assert form.status_code == 415


def test_latest_first_and_in_pages(tmp_path):
    feedback = Feedback(tmp_path / "f.sqlite", "p")
    for i in range(5):
        feedback.put(f"d{i}", "L1", "accept")
    assert [kept.at for kept in feedback.latest(0, 5)] == sorted((k.at for k in feedback.latest(0, 5)), reverse=True)
    assert len(feedback.latest(3, 5)) == 2


def test_projects_in_one_file_do_not_mix(tmp_path):
    one, other = (Feedback(tmp_path / "f.sqlite", project) for project in ("one", "other"))
    one.put("d", "L1", "accept")
    assert (one.count(), other.count()) == (1, 0)
    assert not other.remove("d", "L1")


def test_opinions_outlive_a_new_name_of_the_folder(run_folder, tmp_path):
    folder = shutil.copytree(run_folder, tmp_path / "before")
    opinions = open_projects([folder], None)["before"].feedback
    opinions.put("d", "L1", "accept")
    opinions.close()
    (project,) = open_projects([folder.rename(tmp_path / "after")], None).values()
    assert project.feedback.on("d") == {"L1": "accept"}


def test_one_file_for_two_folders_of_the_same_name_is_refused(run_folder, tmp_path):
    other = shutil.copytree(run_folder, tmp_path / run_folder.name)
    assert list(open_projects([run_folder, other], None)) == ["my-run", "my-run-2"]
    with pytest.raises(InputError, match="two folders are called 'my-run'"):
        open_projects([run_folder, other], tmp_path / "f.sqlite")


def test_labels_that_are_learnt_again_take_the_place_of_the_former(tmp_path):
    feedback = Feedback(tmp_path / "f.sqlite", "p")
    feedback.learn("d", "A text.", ["L1", "L2"])
    feedback.put("d", "L3", "reject")
    feedback.learn("d", "A text.", ["L2", "L4"])
    assert feedback.on("d") == {"L2": "add", "L3": "reject", "L4": "add"}


def test_an_opinion_is_on_disk_when_it_is_answered(tmp_path):
    Feedback(tmp_path / "f.sqlite", "p").put("d", "L1", "accept")
    with sqlite3.connect(tmp_path / "f.sqlite") as other:
        assert other.execute("SELECT verdict FROM opinions").fetchall() == [("accept",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "f.sqlite").write_text("some other file, which must not be lost" * 100)
    with pytest.raises(InputError, match="choose another file with --feedback"):
        Feedback(tmp_path / "f.sqlite", "p")
