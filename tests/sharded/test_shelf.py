"""The shards of one stage."""

from futex.sharded.shelf import Shelf


def test_only_the_first_shards_stay_even_of_a_hundred_thousand(tmp_path):
    shelf = Shelf(tmp_path, ".jsonl.zst")
    for number in (0, 49_999, 50_000, 120_000):
        shelf.put(number, "key", 1, lambda path: path.write_bytes(b"content"))
    (tmp_path / ".00000.json.1.tmp").touch()
    shelf.tidy(50_000)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "00000.json",
        "00000.jsonl.zst",
        "49999.json",
        "49999.jsonl.zst",
    ]
