"""What the answers cost: tokens as the endpoint counts them, times a price that only the user knows.

>>> spending = Spending(Price(0.5, 2.0), budget=0.01)
>>> spending.add(Tokens(10_000, 500), paid_now=True)
>>> spending.cost, spending.budget_is_spent, str(spending)
(0.006, False, '10,000 tokens read, 500 written, cost 0.0060')
"""

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from futex.errors import InputError


class Tokens(NamedTuple):
    read: int
    written: int

    def plus(self, other: "Tokens") -> "Tokens":
        return Tokens(self.read + other.read, self.written + other.written)


class Price(NamedTuple):
    """Of a million tokens, in any currency."""

    read: float
    written: float

    def of(self, tokens: Tokens) -> float:
        return (tokens.read * self.read + tokens.written * self.written) / 1_000_000


@dataclass(slots=True)
class Spending:
    """Counts all answers that a run uses, also those that were paid by a run before.

    So a run that was killed and goes on stops at the same paper as one that was not.
    """

    price: Price | None = None
    budget: float | None = None
    tokens: Tokens = field(default=Tokens(0, 0), init=False)
    tokens_now: Tokens = field(default=Tokens(0, 0), init=False)

    def __post_init__(self) -> None:
        if self.price is not None and not all(0 <= amount < inf for amount in self.price):
            raise InputError(f"--llm-price {self.price.read} {self.price.written}: a price is a number not below 0")
        if self.budget is not None and not 0 < self.budget < inf:
            raise InputError(f"--llm-budget {self.budget}: a budget is a number above 0")
        if self.budget is not None and self.price is None:
            raise InputError("--llm-budget needs the price of a million tokens, read and written: --llm-price IN OUT")

    def add(self, tokens: Tokens, *, paid_now: bool) -> None:
        self.tokens = self.tokens.plus(tokens)
        if paid_now:
            self.tokens_now = self.tokens_now.plus(tokens)

    @property
    def cost(self) -> float:
        return self.price.of(self.tokens) if self.price else 0.0

    @property
    def budget_is_spent(self) -> bool:
        return self.budget is not None and self.cost >= self.budget

    def __str__(self) -> str:
        return self._told(self.tokens)

    @property
    def now(self) -> str:
        """The part that this run paid itself."""
        return self._told(self.tokens_now)

    def _told(self, tokens: Tokens) -> str:
        cost = f", cost {self.price.of(tokens):.4f}" if self.price else ""
        return f"{tokens.read:,} tokens read, {tokens.written:,} written{cost}"
