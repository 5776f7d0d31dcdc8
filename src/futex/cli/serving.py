"""futex serve"""

import logging
from pathlib import Path
from typing import Annotated

import typer

from futex.cli.app import app
from futex.cli.options import CacheOption, QuietOption
from futex.config import cache_folder
from futex.errors import InputError


@app.command()
def serve(
    models: Annotated[
        list[Path],
        typer.Argument(metavar="MODEL...", help="The folder of a run, for all views of the page, or a model/ folder."),
    ],
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 127.0.0.1 is reached from this machine only.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8000,
    api_key: Annotated[
        str | None,
        typer.Option(
            "--api-key",
            envvar="FUTEX_API_KEY",
            help="Ask for this key in the header X-API-Key. Better in $FUTEX_API_KEY.",
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None, typer.Option("--allow-origin", help="Let pages of this site ask, e.g. https://example.org.")
    ] = None,
    feedback: Annotated[
        Path | None,
        typer.Option("--feedback", help="Keep feedback in this SQLite file. Default: one beside each model."),
    ] = None,
    max_upload: Annotated[int, typer.Option("--max-upload", min=1, help="MiB that an upload may have.")] = 32,
    max_characters: Annotated[
        int, typer.Option("--max-characters", min=1000, help="Characters that a paper may have.")
    ] = 500_000,
    max_seconds: Annotated[float, typer.Option("--max-seconds", min=1, help="Until an answer must be there.")] = 60,
    max_waiting: Annotated[int, typer.Option("--max-waiting", min=1, help="Papers that may wait for their turn.")] = 64,
    cache: CacheOption = None,
    quiet: QuietOption = False,
) -> None:
    """Answer over HTTP: Annif's API below /v1, our own below /api, and a page to look at."""
    from futex import terminal

    try:
        from futex.serve.server import serve as serve_all
        from futex.serve.settings import MIB, Limits, Settings
    except ModuleNotFoundError as error:
        raise InputError(f"futex serve needs {error.name}: pip install 'futex[serve]'") from error

    terminal.set_up(quiet=True)
    logging.getLogger("futex.serve").setLevel(logging.WARNING if quiet else logging.INFO)
    settings = Settings(
        host=host,
        port=port,
        api_key=api_key,
        allow_origins=tuple(allow_origin or ()),
        feedback=feedback,
        cache=cache or cache_folder(),
        limits=Limits(
            upload_bytes=max_upload * MIB, characters=max_characters, seconds=max_seconds, waiting=max_waiting
        ),
    )
    if not settings.is_loopback and api_key is None:
        logging.getLogger("futex.serve").warning("anyone who reaches %s may ask: set $FUTEX_API_KEY", host)
    serve_all(models, settings)
