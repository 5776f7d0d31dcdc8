"""Files that cannot be written are named in one line."""

import pytest

from futex.errors import InputError
from futex.files import write_text


def test_a_file_where_a_folder_should_be_is_told_as_such(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match=r"cannot write .*file/below\.txt: .*; choose a place you may write to"):
        write_text(tmp_path / "file" / "below.txt", "text")
