"""What a language model's server may answer, and what we make of it."""

import json

import pytest
from reranking.language_model import KEY, completion, refused

from futex.errors import InputError, ServiceError
from futex.reranking import endpoint as module
from futex.reranking.answers import Answer
from futex.reranking.endpoint import Endpoint, NoAnswer
from futex.reranking.spending import Tokens

REQUEST = {"model": "tiny", "messages": [], "response_format": {}, "temperature": 0, "seed": 0, "max_tokens": 9}
FINE = (200, {}, completion('{"1": 2}', read=7, written=3))


def test_a_request_and_its_answer(model, endpoint):
    model.answers = [FINE]
    assert endpoint.complete(REQUEST) == Answer('{"1": 2}', Tokens(7, 3))
    assert (model.requests, model.paths, model.keys) == ([REQUEST], ["/v1/chat/completions"], [f"Bearer {KEY}"])


def test_a_local_server_needs_no_key(model, monkeypatch):
    monkeypatch.delenv("FUTEX_LLM_KEY")
    model.answers = [FINE]
    Endpoint(f"{model.url}/chat/completions/", "tiny").complete(REQUEST)
    assert (model.paths, model.keys) == (["/v1/chat/completions"], [None])


def test_busy_servers_are_asked_again_after_growing_pauses(model, endpoint, slept):
    model.answers = [(500, {}, b""), (503, {}, b""), (429, {}, refused("slow down")), FINE]
    assert endpoint.complete(REQUEST).content == '{"1": 2}'
    assert slept == [1, 2, 4]


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [("30", 30), ("0.2", 1), ("Sun, 09 Sep 2001 01:47:25 GMT", 45), ("soon", 1), ("nan", 1), ("-5", 1)],
)
def test_who_says_when_to_come_back_is_obeyed(model, endpoint, slept, retry_after, seconds):
    """The clock of the tests stands at 01:46:40; nobody is asked again within a second."""
    model.answers = [(429, {"Retry-After": retry_after}, refused("slow down")), FINE]
    endpoint.complete(REQUEST)
    assert slept == [seconds]


def test_who_wants_to_be_left_alone_for_an_hour_is(model, endpoint, slept):
    model.answers = [(429, {"Retry-After": "3600"}, refused("You exceeded your current quota")), FINE]
    with pytest.raises(NoAnswer, match=r"answers 429 \(.*You exceeded your current quota"):
        endpoint.complete(REQUEST)
    assert slept == []


def test_patience_ends(model, endpoint, slept):
    model.rule = lambda request: (500, {}, b"out of memory")
    with pytest.raises(NoAnswer, match=r"answers 500 \(out of memory\)"):
        endpoint.complete(REQUEST)
    assert slept == [1, 2, 4, 8, 16]
    assert len(model.requests) == 6


def test_a_server_that_hangs_is_not_waited_for_too_long(model, slept, monkeypatch):
    monkeypatch.setattr(module, "TRIES", 2)
    held = []
    monkeypatch.setattr(model.http, "process_request", lambda *request: held.append(request))  # and never answered
    with pytest.raises(NoAnswer, match=r"no answer from http://127.0.0.1:\d+/v1 \(timed out\)"):
        Endpoint(model.url, "tiny", timeout=0.05, sleep=lambda _, seconds: slept.append(seconds)).complete(REQUEST)
    assert len(held) == 2


def test_a_server_that_is_not_there(model, endpoint):
    model.close()
    with pytest.raises(NoAnswer, match=r"no answer from .*Connection refused"):
        endpoint.complete(REQUEST)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (401, r"does not let us in \(401\): check the key in \$FUTEX_LLM_KEY"),
        (403, r"does not let us in \(403\): check the key in \$FUTEX_LLM_KEY"),
        (404, r"knows no /chat/completions or no model 'tiny' \(404\): check --llm.* and --llm-model"),
    ],
)
def test_what_no_other_request_would_mend_is_said_at_once(model, endpoint, slept, code, message):
    model.answers = [(code, {}, refused(f"Incorrect API key provided: {KEY}"))]
    with pytest.raises(ServiceError, match=message) as error:
        endpoint.complete(REQUEST)
    assert KEY not in str(error.value)
    assert slept == []


def test_a_missing_key_is_asked_for(model, monkeypatch):
    monkeypatch.delenv("FUTEX_LLM_KEY")
    model.answers = [(401, {}, b"")]
    with pytest.raises(ServiceError, match=r"put a key into \$FUTEX_LLM_KEY"):
        Endpoint(model.url, "tiny").complete(REQUEST)


def test_the_key_is_in_no_message_and_no_repr(model, endpoint):
    model.answers = [(413, {}, f"too long\n for {KEY}".encode())]
    with pytest.raises(NoAnswer, match=r"answers 413 \(too long for …\)") as error:
        endpoint.complete(REQUEST)
    assert KEY not in repr(error.value) + repr(endpoint)


def test_the_key_does_not_follow_a_redirection(model, endpoint):
    model.answers = [(302, {"Location": f"{model.url}/elsewhere"}, b"")]
    with pytest.raises(ServiceError, match="has moved"):
        endpoint.complete(REQUEST)
    assert model.paths == ["/v1/chat/completions"]


def test_a_key_that_would_break_the_header_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("FUTEX_LLM_KEY", "sk-\nX-Evil: 1")
    with pytest.raises(InputError, match=r"\$FUTEX_LLM_KEY holds characters that no key has") as error:
        Endpoint("http://localhost/v1", "tiny")
    assert "Evil" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        *("localhost:8000", "file:///etc/passwd", "http://", "http://a:b@host/v1", "http://host/v1?key=x", ""),
        *("http://h:x/v1", "http://h/v1#x", "http://[::1", "http://h/v 1", "http://h/v1\n", "http://hö/v1"),
    ],
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(InputError, match="not the address of an endpoint"):
        Endpoint(url, "tiny")


def test_what_a_server_does_not_know_is_left_out_from_then_on(model, endpoint):
    """Some know no JSON schema, some no temperature: they say so, and get a request without."""

    def picky(request):
        for name in ("response_format", "temperature"):
            if name in request:
                return 400, {}, refused(f"Unsupported value: '{name}' does not support this", param=name)
        return FINE

    model.rule = picky
    assert endpoint.complete(REQUEST).content == '{"1": 2}'
    assert [sorted(set(REQUEST) - set(request)) for request in model.requests] == [
        [],
        ["response_format"],
        ["response_format", "temperature"],
    ]
    endpoint.complete(REQUEST)
    assert len(model.requests) == 4


def test_another_bad_request_concerns_one_paper(model, endpoint, slept):
    model.answers = [(400, {}, refused("This model's maximum context length is 2048 tokens"))]
    with pytest.raises(NoAnswer, match=r"answers 400 \(.*maximum context length"):
        endpoint.complete(REQUEST)
    assert slept == []


@pytest.mark.parametrize(
    "body",
    [
        *(b"<html>Welcome</html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}'),
        *(b"[" * 100_000, b"\xff\xfe", b"9" * 5000, b'{"choices": [{"message": "hello"}]}', b" " * 2**21),
    ],
)
def test_what_is_no_completion_is_no_answer(model, endpoint, body):
    model.answers = [(200, {}, body)]
    with pytest.raises(NoAnswer, match="is no chat completion"):
        endpoint.complete(REQUEST)


def test_a_refusal_is_an_answer_without_content(model, endpoint):
    model.answers = [(200, {}, completion(None, read=5, written=1, refusal="I cannot help with that"))]
    assert endpoint.complete(REQUEST) == Answer("", Tokens(5, 1))


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7", "completion_tokens": 1}, {"prompt_tokens": -1}, []])
def test_tokens_that_are_not_told(model, endpoint, usage):
    model.answers = [(200, {}, json.dumps(FINE[2] | {"usage": usage}).encode())]
    assert endpoint.complete(REQUEST).tokens is None
