"""The options of `futex run` for re-ranking by a language model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from futex.errors import InputError

if TYPE_CHECKING:
    from futex.reranking.reranker import Reranker

_PANEL = "Re-ranking by a language model"

LlmOption = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="URL",
        rich_help_panel=_PANEL,
        help="Let a language model grade the best 20 labels of each paper: address of any OpenAI-compatible endpoint, "
        "such as http://localhost:8000/v1. Its key, if it needs one, is read from $FUTEX_LLM_KEY. "
        "Answers are kept in the cache: what was asked once costs nothing the next time.",
    ),
]
LlmModelOption = Annotated[
    str | None,
    typer.Option("--llm-model", metavar="NAME", rich_help_panel=_PANEL, help="The model's name at that endpoint."),
]
LlmPriceOption = Annotated[
    tuple[float, float] | None,
    typer.Option(
        "--llm-price",
        metavar="IN OUT",
        rich_help_panel=_PANEL,
        help="What a million tokens cost, read and written: then the cost is shown, not only the tokens.",
    ),
]
LlmBudgetOption = Annotated[
    float | None,
    typer.Option(
        "--llm-budget",
        metavar="AMOUNT",
        rich_help_panel=_PANEL,
        help="Ask no more once the answers, kept ones included, have cost so much; papers after it keep their ranking.",
    ),
]


def reranker_of(
    url: str | None, model: str | None, price: tuple[float, float] | None, budget: float | None, cache: Path
) -> "Reranker | None":
    """None where no language model is wanted."""
    if url is None:
        if model is not None or price is not None or budget is not None:
            raise InputError(
                "--llm-model, --llm-price and --llm-budget need the address of an endpoint: give --llm URL"
            )
        return None
    if not model:
        raise InputError("--llm needs the name of a model: give --llm-model NAME")

    from futex.reranking.endpoint import Endpoint
    from futex.reranking.reranker import Reranker
    from futex.reranking.spending import Price, Spending

    return Reranker(Endpoint(url, model), Spending(price and Price(*price), budget), cache)
