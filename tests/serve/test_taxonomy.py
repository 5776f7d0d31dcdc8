"""Search-as-you-type against a plain look through all names; browsing up and down."""

from hypothesis import given, settings
from hypothesis import strategies as st
from serve.running import LABELS, SCRIPT

from futex.labels.label import Label, LabelSpace
from futex.labels.names import normal_form
from futex.serve.taxonomy import Taxonomy

words = st.sampled_from(["lung", "lungs", "cancer", "canine", "of", "the", "brain", "β-cells", "C++", "Sjögren's"])
names = st.lists(words, min_size=1, max_size=3).map(" ".join)
spaces = st.lists(st.lists(names, min_size=1, max_size=3), min_size=1, max_size=8).map(
    lambda all_names: LabelSpace(Label(str(i), own[0], tuple(own[1:])) for i, own in enumerate(all_names))
)


def fits(name: str, typed: str) -> bool:
    own = normal_form(name).split()
    return all(any(word.startswith(part) for word in own) for part in normal_form(typed).split())


@settings(max_examples=60)
@given(labels=spaces, typed=st.one_of(names, names.map(lambda name: name[:-2]), st.text(max_size=4)))
def test_finds_what_a_look_through_all_names_finds(labels, typed):
    found = {match.label.id for match in Taxonomy(labels).search(typed, 100)}
    expected = {label.id for label in labels.values() if any(fits(name, typed) for name in label.names)}
    assert found == (expected if normal_form(typed) else set()) | ({typed} & labels.keys())


def test_better_matches_come_first():
    labels = LabelSpace(
        [
            Label("begins a word", "Deep lungs2"),
            Label("whole word", "Deep lung"),
            Label("begins, long", "Lung diseases of dogs"),
            Label("begins, short", "Lungs"),
            Label("synonym", "Dyspnoea", synonyms=("Lunga",)),
            Label("exact", "Lung"),
            Label("other", "Brain"),
        ]
    )
    found = Taxonomy(labels).search("LUNG", 10)
    assert [match.label.id for match in found] == [
        "exact",
        "begins, short",
        "begins, long",
        "synonym",
        "whole word",
        "begins a word",
    ]
    assert found[3].name == "Lunga"


def test_a_label_comes_once_and_the_limit_holds():
    labels = LabelSpace([Label("1", "Lung", synonyms=("lungs", "lung tissue")), Label("2", "Lung lobe")])
    taxonomy = Taxonomy(labels)
    assert [match.label.id for match in taxonomy.search("lung", 10)] == ["1", "2"]
    assert [match.label.id for match in taxonomy.search("lung", 1)] == ["1"]
    assert [match.label.id for match in taxonomy.search("2", 5)] == ["2"]  # by its id


def test_search_over_http(client):
    found = client.get("/api/projects/my-run/labels/search", params={"q": "pulm"}).json()["labels"]
    assert [(label["id"], label["matched"]) for label in found] == [("L1", "pulmonary tumours")]
    assert [step["id"] for step in found[0]["path"]] == ["T", "L7", "L1"]


def test_down_and_up(client):
    def narrower(**query):
        return client.get("/api/projects/my-run/labels/narrower", params=query).json()

    assert narrower() == {"total": 1, "labels": [{"id": "T", "name": "Topics", "narrower": 6}]}
    assert [label["id"] for label in narrower(of="T", offset=1, limit=2)["labels"]] == ["L3", "L5"]
    assert narrower(of="T", offset=1, limit=2)["total"] == 6
    one = client.get("/api/projects/my-run/labels/one", params={"id": "L1"}).json()
    assert one["broader"] == [{"id": "L7", "name": "Cancer"}]
    assert one["synonyms"] == ["pulmonary tumours"]


def test_ids_may_be_addresses(client):
    uri = "http://a.org/8?x=1&y=2"
    one = client.get("/api/projects/my-run/labels/one", params={"id": uri})
    assert one.json()["name"] == LABELS[uri].name == f"Night {SCRIPT}"
    assert one.headers["content-type"] == "application/json"


def test_circles_end():
    labels = LabelSpace([Label("a", "A", broader=("b",)), Label("b", "B", broader=("a",))])
    assert Taxonomy(labels).roots == ()
    assert [label.name for label in labels.path_to("a")] == ["B", "A"]
