"""A run: a corpus and a label space in, a folder of predictions with evidence out.

DIR/predictions.jsonl   a line a paper, labels best first, with evidence (also .trec, .csv and more, if wanted)
DIR/config.json         the resolved recipe, versions, hashes of the inputs
DIR/model/              the fitted model, ready for `futex suggest`
DIR/shards/             what was computed on the way (see `sharded/`)
"""
