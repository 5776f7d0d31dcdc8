import pytest
from reranking.language_model import KEY, LanguageModel

from futex.reranking.endpoint import Endpoint


@pytest.fixture
def model(monkeypatch):
    monkeypatch.setenv("FUTEX_LLM_KEY", KEY)
    model = LanguageModel()
    yield model
    model.close()


@pytest.fixture
def slept():
    """Seconds that would have been slept."""
    return []


@pytest.fixture
def endpoint(model, slept):
    return Endpoint(model.url, "tiny", sleep=lambda _, seconds: slept.append(seconds), clock=lambda: 1_000_000_000.0)
