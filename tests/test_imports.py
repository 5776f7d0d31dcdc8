"""Imports point one way: corpus, labels → ranking, plm → stages → pipeline → service, command line."""

import ast
from pathlib import Path

import futex

SOURCE = Path(futex.__file__).parent

LAYERS = [
    {"errors", "files", "json_files", "arrays", "excerpts", "progress", "processes", "config"},
    {"corpus", "labels"},
    {"ranking", "plm"},
    {"candidates", "network", "hierarchy", "self_training", "naming", "evaluation", "reranking"},
    {"baselines"},
    {"model_check", "model_folder", "modules", "pipeline", "conversion", "results", "evidence"},
    {"sharded"},
    {"runs"},
    {"experiments", "serve"},
    {"terminal", "cli", "__main__", "__init__"},
]
STAGES = {"network", "hierarchy", "self_training", "naming", "reranking"}


def imports() -> list[tuple[str, str]]:
    """(importing part, imported part) for every import inside the package; imports for type checking do not run."""
    found = []
    for path in SOURCE.rglob("*.py"):
        part = path.relative_to(SOURCE).with_suffix("").parts[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        skipped = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if id(node) not in skipped:
                found += [(part, name.split(".")[1]) for name in imported(node) if name.startswith("futex.")]
    return found


def imported(node: ast.AST) -> list[str]:
    """Modules, and names of the package itself."""
    if isinstance(node, ast.ImportFrom) and node.module and node.module != "futex":
        return [node.module]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [f"{'futex.' * isinstance(node, ast.ImportFrom)}{alias.name}" for alias in node.names]
    return []


def layer(part: str) -> int:
    return next(i for i, names in enumerate(LAYERS) if part in names)


def test_every_part_has_its_layer():
    parts = {path.relative_to(SOURCE).with_suffix("").parts[0] for path in SOURCE.rglob("*.py")}
    assert parts <= set().union(*LAYERS)


def test_imports_point_one_way():
    wrong = [(a, b) for a, b in imports() if a != b and layer(b) > layer(a)]
    assert wrong == []


def test_stages_do_not_know_each_other():
    assert [(a, b) for a, b in imports() if a != b and {a, b} <= STAGES] == []


def test_only_plms_and_baselines_know_torch():
    knows = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("torch", "transformers"))
        or (isinstance(node, ast.Import) and any(a.name.split(".")[0] in ("torch", "transformers") for a in node.names))
    }
    assert knows <= {"plm", "baselines"}
