"""docs/licences.md lists all that FuTex needs, each with its licence."""

import re

import pytest

from documentation.licences import GROUPS, PAGE, name_of

SECTIONS = dict(re.findall(r"^## (\S+)\n\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S))
NEEDED = [(group, name_of(one)) for group, needed in GROUPS.items() for one in needed]


@pytest.mark.parametrize(("group", "name"), [pair for pair in NEEDED if pair[1] != "futex"])
def test_every_dependency_is_listed_with_its_licence(group, name):
    assert re.search(rf"^\| {name} \| \S.* \|$", SECTIONS[group], re.M), "write the page anew: make licences"


def test_nothing_else_is_listed():
    listed = [(group, name) for group, text in SECTIONS.items() for name in re.findall(r"^\| ([\w-]+) \|", text, re.M)]
    assert [pair for pair in listed if pair[1] != "package" and pair not in NEEDED] == []
