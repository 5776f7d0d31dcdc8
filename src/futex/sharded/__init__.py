"""A run as data: a folder of shards, each computed once from others, wherever it is computed.

run folder → papers → [draft] → findings → [model] → predictions

Brackets are steps that need the whole corpus; the others map shards to shards, on an engine: processes of this machine
(`local.py`) or of a Ray cluster (`on_ray.py`). Nothing but numbers of shards and receipts goes through the driver.
"""
