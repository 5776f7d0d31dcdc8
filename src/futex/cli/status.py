"""futex status"""

import json
from pathlib import Path
from typing import Annotated

import typer

from futex.cli.app import app


@app.command()
def status(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The --out folder of `futex run`.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell how far a run is: what is done and what is left, stage by stage, and what is damaged.

    Every file is read, to see whether it is whole. Nothing is changed: the next `futex run` mends what is damaged.
    """
    from futex import terminal
    from futex.runs.output import is_held
    from futex.sharded.status import status_of

    found = status_of(folder, is_held(folder))
    if as_json:
        print(json.dumps(found.as_dict(), ensure_ascii=False))
    else:
        terminal.show_status(found)
