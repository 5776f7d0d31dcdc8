"""What a user may import from futex is written down in public_api.txt: to change it, change that file on purpose."""

import ast
import doctest
import inspect
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import futex

WRITTEN_DOWN = Path(__file__).with_name("public_api.txt")
PUBLIC = {name: getattr(futex, name) for name in futex.__all__}
CALLED_BY_USERS = [name for name in PUBLIC if not name.endswith("Error") and name not in ("Evaluation", "Suggestion")]
"""Errors are caught; evaluations and suggestions are given."""


def public_api() -> Iterator[str]:
    """A line for each name of `futex.__all__`, for each attribute and for each method, as the source has it."""
    for name, thing in PUBLIC.items():
        node = ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
        if isinstance(node, ast.FunctionDef):
            yield _signature(node, name)
        else:
            yield f"class {name}({', '.join(map(ast.unparse, node.bases))})"
            yield from _members(node, name)


def _members(node: ast.ClassDef, name: str) -> Iterator[str]:
    for member in node.body:
        if isinstance(member, ast.AnnAssign):
            yield f"{name}.{ast.unparse(member)}"
        elif isinstance(member, ast.FunctionDef) and (member.name == "__init__" or not member.name.startswith("_")):
            kinds = [ast.unparse(decorator) for decorator in member.decorator_list]
            yield " ".join([*kinds, _signature(member, f"{name}.{member.name}")])


def _signature(node: ast.FunctionDef, name: str) -> str:
    return f"{name}({ast.unparse(node.args)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def test_the_public_api_is_what_is_written_down():
    assert list(public_api()) == WRITTEN_DOWN.read_text().splitlines()


def test_it_is_in_alphabetical_order():
    assert futex.__all__ == sorted(futex.__all__)


def documented() -> list:
    """Names, and the methods of classes."""
    methods = [
        pytest.param(method, id=f"{name}.{method_name}")
        for name, thing in PUBLIC.items()
        if inspect.isclass(thing)
        for method_name, method in inspect.getmembers(thing, lambda m: inspect.isfunction(m) or inspect.ismethod(m))
        if not method_name.startswith("_") and method.__module__.startswith("futex.")
    ]
    return [pytest.param(thing, id=name) for name, thing in PUBLIC.items()] + methods


@pytest.mark.parametrize("thing", documented())
def test_it_is_documented(thing):
    assert thing.__doc__
    assert not thing.__doc__.startswith(f"{thing.__name__}("), "the docstring that dataclasses write is none"


def test_the_examples_of_the_package_import_all_that_they_use():
    """`help(futex)` shows them, and users copy them; --doctest-modules lends them the names of the module."""
    examples = doctest.DocTestParser().get_doctest(futex.__doc__, {}, "futex", None, None)
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("name", CALLED_BY_USERS)
def test_an_example_shows_how_to_use_it(name):
    """Its own docstring, that of its module or that of the package; pytest runs them all (--doctest-modules)."""
    thing = PUBLIC[name]
    modules = [import_module(thing.__module__), futex]
    texts = [inspect.getdoc(thing) or "", *(inspect.getdoc(module) or "" for module in modules)]
    examples = [example.source for text in texts for example in doctest.DocTestParser().get_examples(text)]
    assert any(f"{name}(" in source or f"{name}." in source for source in examples)
