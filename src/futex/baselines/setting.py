"""What a method is given besides papers and labels."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm

Text = Literal["abstract", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One way to run a method."""

    plm: str
    """A PLM as `load_plm` takes it: the published checkpoint of the method, or what the user chose instead."""
    text: Text = "abstract"
    seed: int = 0
    metapath: str = "P->P<-P"
    """How papers are linked, for a method that learns from links; see `corpus.citations.MetaPath`."""
    triples: int | None = None
    """How much a method that learns may learn from; None leaves it to the method."""
    length: int = 512
    """Tokens read of a text; only a method for long texts takes more than 512."""
    cache: Path | None = None

    def cached_plm(self) -> CachedPLM:
        """The PLM, with vectors and scores shared between methods through the cache."""
        return CachedPLM(load_plm(self.plm, self.cache), self.cache)
