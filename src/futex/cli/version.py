"""futex --version"""

from typing import Annotated

import typer

from futex.cli.app import app


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"futex {version('futex')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...
