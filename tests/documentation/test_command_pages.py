"""docs/commands/ is what the program says of itself now."""

import pytest

from documentation.command_pages import FOLDER, pages


def test_there_is_a_page_for_each_command_and_no_other():
    assert {path.name for path in FOLDER.iterdir()} == set(pages()), "write the pages anew: make docs"


@pytest.mark.parametrize("name", pages())
def test_a_page_is_what_the_program_says_now(name):
    assert (FOLDER / name).read_text() == pages()[name], "write the pages anew: make docs"
