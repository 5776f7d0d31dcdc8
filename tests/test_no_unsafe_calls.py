"""Nothing in the package unpickles, runs text as code, starts a shell or lets a checkpoint bring code along."""

import ast
from pathlib import Path

import pytest

import futex

SOURCE = Path(futex.__file__).parent

NEVER = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen"),
    *("pickle.load", "pickle.loads", "pickle.Unpickler", "marshal.loads", "marshal.load", "shelve.open"),
    *("joblib.load", "dill.load", "dill.loads", "cloudpickle.loads", "yaml.load", "yaml.unsafe_load"),
}
MUST_SAY = {
    "torch.load": ("weights_only", True),
    "np.load": ("allow_pickle", False),
    "numpy.load": ("allow_pickle", False),
}
NEVER_SAYS = {"shell": True, "allow_pickle": True, "trust_remote_code": True, "weights_only": False}

ALLOWED = {("processes.py", "pickle.loads"): "what our own process sent through its pipe, as multiprocessing does"}


def called(call: ast.Call) -> str:
    """`a.b.c` of a.b.c(...)."""
    return ast.unparse(call.func)


def faults(text: str) -> list[str]:
    """The unsafe calls of a program."""
    found = []
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        name = called(call)
        said = {word.arg: getattr(word.value, "value", None) for word in call.keywords if word.arg}
        must = MUST_SAY.get(name)
        if name in NEVER or (must and said.get(must[0]) is not must[1]):
            found.append(name)
        found += [f"{name}({word}=…)" for word, value in NEVER_SAYS.items() if word in said and said[word] is value]
    return found


def test_no_unsafe_call_in_the_package():
    found = {
        (path.relative_to(SOURCE).as_posix(), fault)
        for path in SOURCE.rglob("*.py")
        for fault in faults(path.read_text(encoding="utf-8"))
    }
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    "text",
    [
        *("eval(x)", "exec(x)", "pickle.loads(x)", "yaml.load(x)", "os.system(x)", "torch.load(x)", "np.load(x)"),
        *("torch.load(x, weights_only=False)", "np.load(x, allow_pickle=True)", "subprocess.run(x, shell=True)"),
        "AutoModel.from_pretrained(x, trust_remote_code=True)",
    ],
)
def test_such_calls_are_found(text):
    assert faults(text)


@pytest.mark.parametrize("text", ["model.eval()", "re.compile(x)", "torch.load(x, weights_only=True)", "json.loads(x)"])
def test_others_are_not(text):
    assert not faults(text)
