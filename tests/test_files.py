"""Files that cannot be written are named in one line."""

import os
import stat
from pathlib import Path

import pytest

from futex.conversion import convert
from futex.errors import InputError
from futex.files import check_file, growing, growing_folder, replacing, write_text
from futex.runs.inputs import Inputs
from futex.runs.output import prediction_files


def test_a_file_where_a_folder_should_be_is_told_as_such(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match=r"cannot write .*file/below\.txt: .*; choose a place you may write to"):
        write_text(tmp_path / "file" / "below.txt", "text")


@pytest.mark.parametrize("writing", [replacing, growing])
def test_a_folder_where_a_file_should_be_is_refused_before_anything_is_written(tmp_path, writing):
    message = rf"cannot write {tmp_path}: it is a folder; give the name of a file"
    with pytest.raises(InputError, match=message), writing(tmp_path):
        pytest.fail("the work has begun")


def test_a_file_where_a_folder_should_be_is_refused_before_anything_is_written(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    message = r"cannot write .*file: it is no folder; choose another place"
    with pytest.raises(InputError, match=message), growing_folder(tmp_path / "file", ".key"):
        pytest.fail("the work has begun")


@pytest.mark.skipif(os.name != "posix", reason="makes a named pipe")
@pytest.mark.parametrize("writing", [replacing, growing])
def test_a_file_takes_no_place_of_a_pipe_or_a_device(tmp_path, writing):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(os.devnull)
    for name in ("pipe", "link"):
        with pytest.raises(InputError, match=f"{name}: it is a device or a pipe"), writing(tmp_path / name):
            pytest.fail("the work has begun")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    for device in ("/dev/null", "/dev/stdout"):
        with pytest.raises(InputError, match=f"{device}: it is a device or a pipe"):
            check_file(Path(device))


@pytest.mark.parametrize("folder", ["papers", "labels", "gold"])
def test_a_conversion_that_cannot_write_reads_no_paper(tmp_path, folder):
    outputs = {name: tmp_path / f"{name}.jsonl" for name in ("papers", "labels", "gold")}
    outputs[folder].mkdir()
    with pytest.raises(InputError, match=rf"cannot write .*{folder}\.jsonl: it is a folder"):
        convert("papers that are not there", **outputs, terms="subjects")


def test_a_conversion_does_not_write_one_file_over_another(tmp_path):
    papers, same = tmp_path / "papers.jsonl", tmp_path / "." / "papers.jsonl"
    with pytest.raises(InputError, match="give each a name of its own"):
        convert("papers that are not there", papers=papers, labels=None, gold=same, terms="subjects")


@pytest.mark.parametrize(
    ("format", "made", "message"),
    [
        ("trec", "predictions.trec/", "it is a folder"),
        ("trec", "predictions.jsonl/", "it is a folder"),
        ("annif", "predictions.annif", "it is no folder"),
        ("annif", "predictions.annif/other.pdf", "holds other files than .tsv files"),
    ],
)
def test_predictions_that_cannot_be_written_are_refused_before_a_run(tmp_path, format, made, message):
    path = tmp_path / made
    path.mkdir() if made.endswith("/") else (path.parent.mkdir(exist_ok=True), path.touch())
    with pytest.raises(InputError, match=message):
        prediction_files(Inputs(papers="p", labels="l", also=(format,)), tmp_path)
